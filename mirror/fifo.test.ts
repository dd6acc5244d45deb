import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Fifo } from '#mirror/fifo.ts';

const all = () => true;

describe('a queue of keys', () => {
  it('gives back in the order of arrival, and nothing once it is empty', () => {
    const fifo = new Fifo();
    for (const entry of ['a', 'b']) fifo.push(entry);
    assert.deepEqual([fifo.take(all), fifo.take(all), fifo.take(all)], ['a', 'b', undefined]);
  });

  it('drops what is no longer valid on its way to the first that is', () => {
    const fifo = new Fifo();
    for (const entry of ['a', 'b', 'c']) fifo.push(entry);
    assert.equal(
      fifo.take((entry) => entry === 'b'),
      'b',
    );
    assert.deepEqual([fifo.take(all), fifo.take(all)], ['c', undefined]);
  });

  it('agrees with an array, long queues that are emptied and filled again included', () => {
    const steps = fc.array(fc.oneof(fc.constant('take' as const), fc.integer({ min: 1, max: 3_000 })), { maxLength: 40 });
    fc.assert(
      fc.property(steps, fc.integer({ min: 2, max: 7 }), (script, every) => {
        const [fifo, model] = [new Fifo(), [] as string[]];
        let pushed = 0;
        const valid = (entry: string) => Number(entry) % every !== 0;
        for (const step of script) {
          for (let more = step === 'take' ? 0 : step; more > 0; more -= 1) {
            fifo.push(String(pushed));
            model.push(String(pushed));
            pushed += 1;
          }
          for (let times = step === 'take' ? 1_500 : 1; times > 0; times -= 1) {
            const at = model.findIndex(valid);
            const [expected] = model.splice(0, at < 0 ? model.length : at + 1).slice(at < 0 ? model.length : -1);
            assert.equal(fifo.take(valid), at < 0 ? undefined : expected);
          }
        }
      }),
      { numRuns: 30 },
    );
  });
});
