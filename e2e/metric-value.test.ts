import assert from 'node:assert/strict';
import { metricValue } from '#e2e/metric-value.ts';

const TEXT = `# HELP copies Copies
# TYPE copies gauge
copies{cell="c1",reason="a"} 2
copies{cell="c1",reason="b"} 3
copies{cell="c11",reason="a"} 100
copies_total 7
`;

describe('the value of a metric', () => {
  it('sums the series that carry all labels asked for', () => {
    assert.equal(metricValue(TEXT, { name: 'copies', labels: { cell: 'c1' } }), 5);
    assert.equal(metricValue(TEXT, { name: 'copies', labels: { cell: 'c1', reason: 'b' } }), 3);
  });

  it('reads a metric without labels', () => assert.equal(metricValue(TEXT, { name: 'copies_total' }), 7));

  it('is 0 where no series matches', () => assert.equal(metricValue(TEXT, { name: 'copies', labels: { cell: 'c2' } }), 0));
});
