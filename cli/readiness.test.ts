import assert from 'node:assert/strict';
import { judgeReadiness } from '#cli/readiness.ts';

describe('readiness', () => {
  it('comes with the hub observed in full, and names what is waited for until then', () => {
    assert.deepEqual(judgeReadiness({ hubObserved: false, waitingFor: ['a', 'b'], cells: [] }), {
      status: 503,
      body: 'waiting for a\nwaiting for b\n',
    });
    assert.equal(judgeReadiness({ hubObserved: false, waitingFor: [], cells: [] }).body, 'waiting for the hub to be observed\n');
    assert.equal(judgeReadiness({ hubObserved: true, waitingFor: [], cells: [] }).status, 200);
  });

  it('does not hang on a cell', () => {
    const cells = [{ name: 'a', phase: 'Connecting', waitingFor: ['its API server'] }];
    assert.equal(judgeReadiness({ hubObserved: true, waitingFor: [], cells }).status, 200);
  });
});
