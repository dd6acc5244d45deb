import assert from 'node:assert/strict';
import { Registry } from '@prometheus-io/client';
import type { BareCondition } from '#writeback/cell-conditions.ts';
import { registerConditionGauge } from '#writeback/condition-gauge.ts';

const BOUND: BareCondition = { type: 'IdentityBound', status: 'True', reason: 'Bound', message: '' };
const FENCED: BareCondition = { type: 'IdentityBound', status: 'False', reason: 'IdentityFenced', message: '' };

describe('the gauge of conditions', () => {
  it('shows each condition in the state that it has now, and no longer in another one', async () => {
    const cells = [
      { cell: 'ams-1', conditions: [BOUND] },
      { cell: 'dfw-1', conditions: [FENCED] },
    ];
    const registry = new Registry();
    registerConditionGauge(registry, () => cells);
    const labels = (plane: string, { type, status, reason }: BareCondition) => ({ plane, type, status, reason });
    assert.deepEqual(await seriesOf(registry), [labels('ams-1', BOUND), labels('dfw-1', FENCED)]);
    cells[1] = { cell: 'dfw-1', conditions: [BOUND] };
    cells.shift();
    assert.deepEqual(await seriesOf(registry), [labels('dfw-1', BOUND)]);
  });
});

async function seriesOf(registry: Registry): Promise<object[]> {
  const [metric] = await registry.getMetricsAsJSON();
  const values = metric?.values ?? [];
  assert.ok(values.every(({ value }) => value === 1));
  return values.map(({ labels }) => ({ ...labels }));
}
