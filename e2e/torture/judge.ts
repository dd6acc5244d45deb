import type { Ledger } from '#e2e/torture/ledger.ts';
import type { Span } from '#e2e/torture/span.ts';

/**
 * What a deletion of a copy was.
 * `right`: its source did not call for it. `raced`: it did not when it was looked at, and was made again before the deletion.
 * `replaced`: it has another address type than before. `wrong`: it called for its copy. `unproven`: nobody had looked.
 */
export type Verdict = 'right' | 'raced' | 'replaced' | 'wrong' | 'unproven';

/** What bears on one deletion of a copy: when it was made, and when its source was read and the copy written before. */
export type Withdrawal = {
  /** The source's key in the ledger. */
  key: string;
  at: Span;
  /** The service's reads of this one source that its cell has answered, in the order of their answers. */
  looks: readonly Span[];
  /** The service's writes of this copy that the hub has taken. */
  writes: readonly Span[];
};

/** A look that is older proves nothing: from it to a deletion it is four requests, each with a deadline of 15 s. */
const LOOK_GOOD_MS = 60_000;

/**
 * Judges a deletion by the last look at its source before it, whatever the service says of it. A look is evidence only where
 * the copy was not written since. Emptiness and routing excuse nothing: neither is a reason to withdraw.
 */
export function judgeWithdrawal({ key, at, looks, writes }: Withdrawal, ledger: Ledger): Verdict {
  const writtenMs = Math.max(-Infinity, ...writes.map(({ fromMs }) => fromMs).filter((fromMs) => fromMs < at.fromMs));
  const look = looks.findLast(({ untilMs }) => untilMs <= at.fromMs && untilMs > at.fromMs - LOOK_GOOD_MS);
  const calls = ledger.called(key, at);
  if (look && look.fromMs >= writtenMs && !ledger.called(key, look)) return calls ? 'raced' : 'right';
  if (ledger.changedType(key)) return 'replaced';
  return calls ? 'wrong' : 'unproven';
}
