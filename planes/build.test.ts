import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { cachedFile, ensureBinaries } from '#planes/binaries.ts';
import { readGoModule } from '#planes/go-module.ts';

/** Stands in for Go: notes what it is asked to build, and makes a file that can be executed. */
const FAKE_GO = `#!/bin/sh
[ "$1" = build ] || exit 0
echo "$*" >> "\${0%/*}/asked"
while [ "$1" != -o ]; do shift; done
echo '#!/bin/sh' > "$2"
/bin/chmod +x "$2"
`;
const FAILING_GO = `#!/bin/sh
[ "$1" = build ] || exit 0
while [ "$1" != -o ]; do shift; done
echo half > "$2"
echo 'x.go:1: no space left on device' >&2
exit 1
`;
const OLD_GO = `#!/bin/sh
echo 'go: go.mod requires go >= 1.26.0 (running go 1.20)' >&2
exit 1
`;

describe('building a program', () => {
  let folder: string;
  const path = process.env['PATH'];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'build-'));
    process.env['PATH'] = folder;
  });

  afterEach(() => {
    process.env['PATH'] = path;
    rmSync(folder, { recursive: true });
  });

  const settings = () => ({ assets: undefined, cacheFolder: join(folder, 'cache') });
  const useGo = (script: string) => writeFileSync(join(folder, 'go'), script, { mode: 0o755 });
  const asked = () => readFileSync(join(folder, 'asked'), 'utf8').trimEnd().split('\n');

  it('puts it into the cache, and the next run finds it there', async () => {
    useGo(FAKE_GO);
    const file = cachedFile('etcd', settings());
    for (let run = 0; run < 2; run++) assert.equal((await ensureBinaries(['etcd'], { settings: settings() })).path('etcd'), file);
    assert.equal(asked().length, 1);
    assert.deepEqual(readdirSync(dirname(file)), ['etcd']);
  });

  it('happens once when two runs want it at the same time', async () => {
    useGo(FAKE_GO);
    const lines: string[] = [];
    const run = () => ensureBinaries(['etcd'], { settings: settings(), log: (line) => lines.push(line) });
    await Promise.all([run(), run()]);
    assert.equal(asked().length, 1);
    assert.ok(lines.includes(`Waiting for process ${process.pid}, which is building the same programs`));
  });

  it('gives Kubernetes its version, without which its server calls itself v0.0.0', async () => {
    useGo(FAKE_GO);
    await ensureBinaries(['kubectl'], { settings: settings() });
    const { version } = readGoModule('kubernetes');
    assert.ok(asked()[0]?.includes(`-X k8s.io/component-base/version.gitVersion=${version} `), asked()[0]);
  });

  it('says which program it is at, how many there are, and how long it still takes', async () => {
    useGo(FAKE_GO);
    const lines: string[] = [];
    await ensureBinaries(['kubectl', 'etcd'], { settings: settings(), log: (line) => lines.push(line) });
    assert.match(lines[0] ?? '', /^Building etcd v\S+ \(1 of 2\), about \d+ s left$/);
    assert.match(lines[1] ?? '', /^Building kubectl v\S+ \(2 of 2\), about \d+ s left$/);
  });

  it('that fails leaves nothing in the cache, and says what Go said', async () => {
    useGo(FAILING_GO);
    await assert.rejects(ensureBinaries(['etcd'], { settings: settings() }), /Cannot build "etcd".*no space left on device/s);
    assert.deepEqual(readdirSync(dirname(cachedFile('etcd', settings()))), []);
  });

  it('with a Go that is too old says which one is needed', async () => {
    useGo(OLD_GO);
    await assert.rejects(
      ensureBinaries(['etcd'], { settings: settings() }),
      /Go 1\.26\S* is needed.*running go 1\.20.*KUBEBUILDER_ASSETS/s,
    );
  });

  it('clears away what a killed build has left', async () => {
    useGo(FAILING_GO);
    await assert.rejects(ensureBinaries(['etcd'], { settings: settings() }));
    const cache = dirname(cachedFile('etcd', settings()));
    writeFileSync(join(cache, 'etcd.1.partial'), 'half');
    useGo(FAKE_GO);
    await ensureBinaries(['etcd'], { settings: settings() });
    assert.deepEqual(readdirSync(cache), ['etcd']);
  });
});
