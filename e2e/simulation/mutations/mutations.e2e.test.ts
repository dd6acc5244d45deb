import assert from 'node:assert/strict';
import { tryMutation } from '#e2e/simulation/mutations/run.ts';

// A simulation that cannot fail proves nothing. `make simulate-mutations` tries every broken build; here are two that are noticed at once.
describe('the simulation', () => {
  for (const mutation of ['1-withdraws-on-what-an-event-said', '6-applies-to-find-out']) {
    it(`notices a build that is broken on purpose: ${mutation}`, () => {
      assert.deepEqual(tryMutation(mutation, { schedules: 2_000 }).caught, true);
    });
  }
});
