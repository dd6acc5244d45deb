import assert from 'node:assert/strict';
import { judgeWithdrawal } from '#e2e/torture/judge.ts';
import type { Verdict, Withdrawal } from '#e2e/torture/judge.ts';
import { Ledger } from '#e2e/torture/ledger.ts';
import type { SourceState } from '#e2e/torture/ledger.ts';

const IPV6 = { calls: true, addressType: 'IPv6' };
const at = (fromMs: number, untilMs = fromMs + 1) => ({ fromMs, untilMs });

/** A source that became this at 10, and that at 100, and so on; its copy is deleted at 150 and was written at 20. */
function judge(states: Record<number, SourceState>, withdrawal: Partial<Withdrawal>): Verdict {
  const ledger = new Ledger();
  for (const [ms, state] of Object.entries(states)) ledger.note('ns/pod', state, at(Number(ms)));
  return judgeWithdrawal({ key: 'ns/pod', at: at(150), looks: [], writes: [at(20)], ...withdrawal }, ledger);
}

describe('the judge of withdrawals', () => {
  it('finds one right that followed a look at an absent source', () => {
    assert.equal(judge({ 10: IPV6, 100: undefined }, { looks: [at(120)] }), 'right');
  });

  it('finds one right whose source has lost its tenant', () => {
    assert.equal(judge({ 10: IPV6, 100: { ...IPV6, calls: false } }, { looks: [at(120)] }), 'right');
  });

  it('finds one wrong whose source was there all the time', () => {
    assert.equal(judge({ 10: IPV6 }, { looks: [at(120)] }), 'wrong');
    assert.equal(judge({ 10: IPV6 }, {}), 'wrong');
  });

  it('finds one wrong that rests on a look from before the copy was written again', () => {
    const story = { 10: IPV6, 100: undefined, 125: IPV6 };
    assert.equal(judge(story, { looks: [at(120)], writes: [at(20), at(130)] }), 'wrong');
    assert.equal(judge(story, { looks: [at(120)], writes: [at(20), at(160)] }), 'raced');
  });

  it('knows a source that was made again after the look', () => {
    assert.equal(judge({ 10: IPV6, 100: undefined, 125: IPV6 }, { looks: [at(120)] }), 'raced');
  });

  it('finds one unproven that hit an absent source without a look at it', () => {
    assert.equal(judge({ 10: IPV6, 100: undefined }, {}), 'unproven');
    assert.equal(judge({ 10: IPV6, 100: undefined }, { looks: [at(90), at(151)] }), 'unproven');
    assert.equal(judge({ 10: IPV6, 100: undefined }, { looks: [at(120)], at: at(900_000) }), 'unproven');
  });

  it('knows a copy that could only be replaced', () => {
    assert.equal(judge({ 10: IPV6, 100: undefined, 110: { ...IPV6, addressType: 'IPv4' } }, {}), 'replaced');
  });
});
