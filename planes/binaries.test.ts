import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { cachedFile, ensureBinaries } from '#planes/binaries.ts';
import type { ToolSettings } from '#planes/settings.ts';

describe('the programs of the planes', () => {
  let folder: string;
  let settings: ToolSettings;
  const path = process.env['PATH'];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'binaries-'));
    settings = { assets: join(folder, 'assets'), cacheFolder: join(folder, 'cache') };
    process.env['PATH'] = folder; // no Go: whatever is not found cannot be built
  });

  afterEach(() => {
    process.env['PATH'] = path;
    rmSync(folder, { recursive: true });
  });

  const put = (file: string) => {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, '');
    chmodSync(file, 0o755);
    return file;
  };

  it('are taken from KUBEBUILDER_ASSETS first', async () => {
    const ready = put(join(folder, 'assets/etcd'));
    put(cachedFile('etcd', settings));
    assert.equal((await ensureBinaries(['etcd'], { settings })).path('etcd'), ready);
  });

  it('are taken from the cache where KUBEBUILDER_ASSETS lacks them', async () => {
    put(join(folder, 'assets/etcd'));
    const cached = put(cachedFile('kubectl', settings));
    assert.equal((await ensureBinaries(['etcd', 'kubectl'], { settings })).path('kubectl'), cached);
  });

  it('that cannot be had are reported with their purpose and with what else would do', async () => {
    const wanted = ensureBinaries(['kube-apiserver'], { settings });
    await assert.rejects(wanted, { name: 'TerminalError', code: 'NoBinary' });
    await assert.rejects(wanted, /the API server of every plane.*no "go" on the PATH\nInstall Go 1\.26.*KUBEBUILDER_ASSETS/s);
  });

  it('that were not asked for are not handed out', async () => {
    put(join(folder, 'assets/etcd'));
    const binaries = await ensureBinaries(['etcd'], { settings });
    assert.throws(() => binaries.path('kubectl'), /not among the programs asked for/);
  });
});
