import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withLock } from '#planes/file-lock.ts';
import { formatIdentity, ownIdentity } from '#planes/process-identity.ts';

describe('a lock file', () => {
  let folder: string;
  let file: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'lock-'));
    file = join(folder, 'build.lock');
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  it('keeps a second piece of work waiting until the first has ended, and says for whom', async () => {
    const seen: string[] = [];
    const gate = Promise.withResolvers<void>();
    const first = withLock(file, async () => {
      await gate.promise;
      seen.push('first');
    });
    const second = withLock(file, async () => seen.push('second'), {
      onWait: (holder) => {
        assert.equal(holder?.pid, process.pid);
        seen.push('waiting');
        gate.resolve();
      },
    });
    await Promise.all([first, second]);
    assert.deepEqual(seen, ['waiting', 'first', 'second']);
  });

  it('of a process that is gone is taken over', async () => {
    writeFileSync(file, formatIdentity({ ...ownIdentity(), startTime: '1' }));
    const onWait = () => assert.fail('waited for a process that is gone');
    assert.equal(await withLock(file, async () => 'worked', { onWait }), 'worked');
  });

  it('is given back when the work fails, and nothing stays behind', async () => {
    await assert.rejects(
      withLock(file, () => Promise.reject(new Error('broken'))),
      /broken/,
    );
    assert.ok(!existsSync(file));
    assert.deepEqual(readdirSync(folder), []);
  });

  it('is not waited for any longer once the signal aborts', async () => {
    writeFileSync(file, formatIdentity(ownIdentity()));
    const ending = new AbortController();
    const waiting = withLock(file, async () => assert.fail('took a lock that is held'), {
      signal: ending.signal,
      onWait: () => ending.abort(),
    });
    await assert.rejects(waiting, { name: 'AbortError' });
  });
});
