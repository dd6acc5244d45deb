import assert from 'node:assert/strict';
import { CellsInForce } from '#cli/cells-in-force.ts';

describe('the cells in force', () => {
  it('are the latest ones when somebody can take them at last, and follow every change after', () => {
    const taken: string[][] = [];
    const cells = new CellsInForce([{ name: 'a', kubeconfig: 'a' }]);
    cells.change([{ name: 'b', kubeconfig: 'b' }]);
    cells.giveTo({ setCells: (now) => taken.push(now.map(({ name }) => name)) });
    cells.change([]);
    assert.deepEqual(taken, [['b'], []]);
  });
});
