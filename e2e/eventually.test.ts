import assert from 'node:assert/strict';
import { eventually } from '#e2e/eventually.ts';

describe('eventually', () => {
  it('answers the first truthy value', async () => {
    const answers = [undefined, 0, 'seen', 'too late'];
    assert.equal(await eventually('it answers', () => answers.shift(), { intervalMs: 1 }), 'seen');
  });

  it('goes on after a probe that throws', async () => {
    let looks = 0;
    const probe = () => {
      looks += 1;
      if (looks < 3) throw new Error('not there');
      return looks;
    };
    assert.equal(await eventually('the third look', probe, { intervalMs: 1 }), 3);
  });

  it('fails with its description and the last reason', async () => {
    const probe = () => Promise.reject(new Error('the copy is missing'));
    await assert.rejects(eventually('a copy appears', probe, { deadlineMs: 5, intervalMs: 1 }), {
      message: 'Not within 5 ms: a copy appears. Last seen: the copy is missing',
    });
  });

  it('fails at once where waiting is hopeless', async () => {
    const probe = () => false;
    await assert.rejects(eventually('a copy', probe, { giveUp: () => 'the service has ended' }), {
      message: 'Hopeless: a copy: the service has ended',
    });
  });

  it('fails in time where the probe never answers', async () => {
    const probe = () => new Promise<boolean>(() => {});
    await assert.rejects(eventually('an answer', probe, { deadlineMs: 5, intervalMs: 1 }), /has not answered yet/);
  });
});
