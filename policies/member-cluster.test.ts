import assert from 'node:assert/strict';
import { reduceCluster } from '#policies/member-cluster.ts';

const LOCATION = 'topology.datum.net/location';
const withStatus = (status: unknown) => reduceCluster({ metadata: { name: 'c1' }, status });

describe('what is read of a cluster', () => {
  it('is Ready only where a condition says so', () => {
    const condition = (type: string, status: string) => ({
      conditions: [
        { type: 'Other', status: 'True' },
        { type, status },
      ],
    });
    assert.equal(withStatus(condition('Ready', 'True')).ready, true);
    for (const status of [
      condition('Ready', 'False'),
      condition('Ready', 'Unknown'),
      condition('Up', 'True'),
      {},
      undefined,
      { conditions: 'no' },
    ]) {
      assert.equal(withStatus(status).ready, false, JSON.stringify(status));
    }
  });

  it('has a location only where its label is not empty', () => {
    const location = (labels?: Record<string, string>) => reduceCluster({ metadata: { name: 'c1', ...(labels && { labels }) } }).location;
    assert.deepEqual(
      [location({ [LOCATION]: 'dfw' }), location({ [LOCATION]: '' }), location({}), location()],
      ['dfw', undefined, undefined, undefined],
    );
  });
});
