import assert from 'node:assert/strict';
import { createLog } from '#cli/logger.ts';
import { WaitingError } from '#kube/errors.ts';

function collect(): { lines: Record<string, unknown>[]; to: { write(line: string): void } } {
  const lines: Record<string, unknown>[] = [];
  return { lines, to: { write: (line) => lines.push(JSON.parse(line)) } };
}

describe('the log', () => {
  it('is one JSON object a line, its level a word, its time ISO 8601', () => {
    const { lines, to } = collect();
    createLog('info', to).child({ cell: 'a' }).warn({ count: 2 }, 'The copies are kept');
    const { time, ...rest } = lines[0] ?? {};
    assert.deepEqual(rest, { level: 'warn', cell: 'a', count: 2, msg: 'The copies are kept' });
    assert.equal(typeof time === 'string' && new Date(time).toISOString(), time);
  });

  it('shows an error by its fields', () => {
    const { lines, to } = collect();
    createLog('info', to).error({ err: new WaitingError('NoNamespace', 'The namespace is not there', 5) }, 'Waiting');
    assert.deepEqual(lines[0]?.err, { name: 'WaitingError', code: 'NoNamespace', message: 'The namespace is not there' });
  });

  it('leaves out what is below its level, in children too', () => {
    const { lines, to } = collect();
    createLog('warn', to).child({ cell: 'a' }).info({}, 'Not said');
    assert.deepEqual(lines, []);
  });
});
