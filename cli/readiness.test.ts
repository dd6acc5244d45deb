import assert from 'node:assert/strict';
import { judgeReadiness } from '#cli/readiness.ts';

const NOTHING = { hubObserved: false, waitingFor: [], cells: [], projects: [] };

describe('readiness', () => {
  it('comes with the hub observed in full, and names what is waited for until then', () => {
    assert.deepEqual(judgeReadiness({ ...NOTHING, waitingFor: ['a', 'b'] }), {
      status: 503,
      body: 'waiting for a\nwaiting for b\n',
    });
    assert.equal(judgeReadiness(NOTHING).body, 'waiting for the hub to be observed\n');
    assert.equal(judgeReadiness({ ...NOTHING, hubObserved: true }).status, 200);
  });

  it('does not hang on a cell or a project', () => {
    const away = [{ name: 'a', phase: 'connecting', waitingFor: ['its API server'] }];
    assert.equal(judgeReadiness({ ...NOTHING, hubObserved: true, cells: away, projects: away }).status, 200);
  });
});
