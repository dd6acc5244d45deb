import assert from 'node:assert/strict';
import { FreshFile } from '#kube/fresh-file.ts';
import { ManualClock } from '#kube/testing/manual-clock.ts';
import { recordingLog } from '#kube/testing/scripted-client.ts';
import { temporaryFolder } from '#kube/testing/temporary-folder.ts';
import type { TemporaryFolder } from '#kube/testing/temporary-folder.ts';

describe('a fresh file', () => {
  let folder: TemporaryFolder;
  beforeEach(() => {
    folder = temporaryFolder();
  });
  afterEach(() => folder.remove());

  const open = (file: string) => {
    const clock = new ManualClock();
    const log = recordingLog();
    const parse = (text: string) => {
      if (text === '') throw new Error('it is empty');
      return { text };
    };
    return { clock, log, fresh: new FreshFile({ file, parse, clock, log }) };
  };

  it('is read again once it is a few seconds old, or when told to', async () => {
    const { clock, fresh } = open(folder.write('f', 'one'));
    assert.equal((await fresh.get()).text, 'one');
    folder.write('f', 'two');
    assert.equal((await fresh.get()).text, 'one');
    await clock.advance(5_000);
    assert.equal((await fresh.get()).text, 'two');
    folder.write('f', 'three');
    await fresh.renew();
    assert.equal((await fresh.get()).text, 'three');
  });

  it('is the same value while it has the same text', async () => {
    const { clock, fresh } = open(folder.write('f', 'one'));
    const first = await fresh.get();
    folder.write('f', 'one');
    await clock.advance(5_000);
    assert.equal(await fresh.get(), first);
  });

  it('stays what it was while it is bad, and says so once', async () => {
    const { log, fresh } = open(folder.write('f', 'one'));
    await fresh.get();
    folder.write('f', '');
    await fresh.renew();
    await fresh.renew();
    assert.equal((await fresh.get()).text, 'one');
    assert.equal(log.lines.length, 1);
    folder.write('f', 'two');
    await fresh.renew();
    assert.equal((await fresh.get()).text, 'two');
  });

  it('names itself and the fact while it has never been good', async () => {
    const file = folder.write('f', '');
    await assert.rejects(open(file).fresh.get(), { message: `Cannot read "${file}": it is empty` });
    await assert.rejects(open(`${file}x`).fresh.get(), { message: `Cannot read "${file}x": it does not exist` });
  });
});
