import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ConfigError } from '#cli/errors.ts';
import { parseConfig } from '#cli/parse-config.ts';
import { PROJECT_NAME_FACT } from '#cli/project-name.ts';
import { DEFAULT_GUARD } from '#mirror/shrink-guard.ts';
import { DEFAULT_KINDS } from '#replicator/replicated-kind.ts';

const HEAD = 'apiVersion: federation.datumapis.com/v1alpha1\nkind: HubConfig\nhub: {kubeconfig: hub.kubeconfig}\n';

function problems(text: string): string[] {
  try {
    parseConfig(text, 'hub.yaml');
    return [];
  } catch (error) {
    assert.ok(error instanceof ConfigError, String(error));
    return error.message.split('\n');
  }
}

describe('a configuration', () => {
  it('needs a hub only: everything else has a default', () => {
    const pace = { sweepIntervalMs: 600_000, retryIntervalMs: 30_000, idleTimeoutMs: 90_000, concurrency: 32, shrinkGuard: DEFAULT_GUARD };
    assert.deepEqual(parseConfig(HEAD, '/etc/fedhub/hub.yaml'), {
      roles: ['writeback', 'replicator', 'policies'],
      hub: { kubeconfig: '/etc/fedhub/hub.kubeconfig' },
      cells: [],
      projects: [],
      server: { address: { host: '127.0.0.1', port: 8080 } },
      log: { level: 'info' },
      writeback: pace,
      replicator: { ...pace, kinds: DEFAULT_KINDS },
    });
  });

  it('takes paths from its own folder, and leaves absolute ones', () => {
    const cells = 'cells: [{name: a, kubeconfig: cells/a, context: main, location: one}, {name: b, kubeconfig: /b, paused: true}]\n';
    assert.deepEqual(parseConfig(HEAD + cells, '/etc/fedhub/hub.yaml').cells, [
      { name: 'a', kubeconfig: '/etc/fedhub/cells/a', context: 'main', location: 'one' },
      { name: 'b', kubeconfig: '/b', paused: true },
    ]);
  });

  it('takes the paths of projects and of their folder from its own folder too', () => {
    const text = 'projects: [{name: org/p, kubeconfig: p, context: main}]\nprojectsFrom: {directory: projects}\n';
    const { projects, projectsFrom } = parseConfig(HEAD + text, '/etc/fedhub/hub.yaml');
    assert.deepEqual(projects, [{ name: 'org/p', kubeconfig: '/etc/fedhub/p', context: 'main' }]);
    assert.deepEqual(projectsFrom, { directory: '/etc/fedhub/projects' });
  });

  it('takes any kind to replicate, the core group too', () => {
    const text = `replicator:
  kinds:
    - {group: '', version: v1, kind: ConfigMap}
    - {group: example.com, version: v1, kind: Widget, selector: 'tier in (a, b)', propagatedLabels: [example.com/tier], status: none}
  concurrency: 2
`;
    const { replicator } = parseConfig(HEAD + text, 'hub.yaml');
    assert.equal(replicator.concurrency, 2);
    assert.deepEqual(replicator.kinds, [
      { group: '', version: 'v1', kind: 'ConfigMap', propagatedLabels: [] },
      { group: 'example.com', version: 'v1', kind: 'Widget', selector: 'tier in (a, b)', propagatedLabels: ['example.com/tier'] },
    ]);
  });

  it('lets a propagated label say the location, which a copy of a slice may not take from its source', () => {
    const text = 'replicator: {kinds: [{group: a, version: v1, kind: A, propagatedLabels: [networking.datumapis.com/location]}]}\n';
    assert.deepEqual(problems(HEAD + text), []);
  });

  it('gives durations in milliseconds', () => {
    const { writeback } = parseConfig(`${HEAD}writeback: {sweepInterval: 2m, retryInterval: 500ms}\n`, 'hub.yaml');
    assert.equal(writeback.sweepIntervalMs, 120_000);
    assert.equal(writeback.retryIntervalMs, 500);
  });
});

describe('a wrong configuration', () => {
  it('is told with file, line and column of a misspelt key', () => {
    const text = `${HEAD}cells:\n  - {name: a, kubeconfig: a}\n  - {name: b, sever: b, kubeconfig: b}\n`;
    assert.deepEqual(problems(text), ['hub.yaml:6:15 cells.1: Unrecognized key "sever"']);
  });

  it('is told with every problem at once, in the order of the file', () => {
    const text = `apiVersion: v1
kind: HubConfig
hub: {}
cells:
  - name: a
    kubeconfig: a
    location: ams.1
  - name: a
    kubeconfig: b
    wait: 1s
server: {address: nowhere}
writeback:
  sweepInterval: 10
  retryInterval: soon
  concurrency: 0
`;
    assert.deepEqual(problems(text), [
      'hub.yaml:1:13 apiVersion: Invalid input: expected "federation.datumapis.com/v1alpha1"',
      'hub.yaml:3:6 hub.kubeconfig: is required',
      'hub.yaml:7:15 cells.0.location: must be a DNS label: lower-case letters, digits and inner dashes, at most 63 characters',
      'hub.yaml:8:11 cells.1.name: is the same as that of cells.0',
      'hub.yaml:10:5 cells.1: Unrecognized key "wait"',
      'hub.yaml:11:19 server.address: must be host:port, such as 127.0.0.1:8080 or :8080',
      'hub.yaml:13:18 writeback.sweepInterval: must be a duration with a unit, such as 500ms, 30s or 10m, of at most 24 days',
      'hub.yaml:14:18 writeback.retryInterval: must be a duration with a unit, such as 500ms, 30s or 10m, of at most 24 days',
      'hub.yaml:15:16 writeback.concurrency: Too small: expected number to be >=1',
    ]);
  });

  it('names two cells of one location, and one cluster under two names', () => {
    const text = `${HEAD}cells:
  - {name: a, kubeconfig: a, location: one}
  - {name: b, kubeconfig: ./a, location: one}
  - {name: c, kubeconfig: a, context: other}
`;
    assert.deepEqual(problems(text), [
      'hub.yaml:6:27 cells.1.kubeconfig: is the same as that of cells.0',
      'hub.yaml:6:42 cells.1.location: is the same as that of cells.0',
    ]);
  });

  it('names a role that does not exist, and a list of none', () => {
    assert.match(problems(`${HEAD}roles: [writeback, gardener]\n`)[0] ?? '', /^hub\.yaml:4:20 roles\.1: Invalid option/);
    assert.deepEqual(problems(`${HEAD}roles: []\n`), ['hub.yaml:4:8 roles: must name a role']);
  });

  it('names what is wrong with a kind, each thing at its place', () => {
    const text = `${HEAD}replicator:
  kinds:
    - group: networking.datumapis.com
      version: 1alpha
      kind: networks
      selector: a=b,c in d
      propagatedLabels: [a/b/c, work.karmada.io/name, meta.datumapis.com/upstream-name]
      status: toSource
    - {group: example.com, version: v1, kind: Widget}
    - {group: other.example.com, version: v1, kind: Widget}
    - {group: example.com, version: v2, kind: Widget}
`;
    assert.deepEqual(problems(text), [
      'hub.yaml:7:16 replicator.kinds.0.version: must be a version, such as v1',
      'hub.yaml:8:13 replicator.kinds.0.kind: must be a kind, such as Network',
      'hub.yaml:9:17 replicator.kinds.0.selector: Cannot read label selector: "c in d" is no requirement',
      'hub.yaml:10:26 replicator.kinds.0.propagatedLabels.0: must be the key of a label',
      'hub.yaml:10:33 replicator.kinds.0.propagatedLabels.1: is a key that never crosses: it is computed, or another system keeps it',
      'hub.yaml:10:55 replicator.kinds.0.propagatedLabels.2: is a key that never crosses: it is computed, or another system keeps it',
      'hub.yaml:11:15 replicator.kinds.0.status: must be none: toSource is reserved, since fedhub holds no right to write on a project',
      'hub.yaml:14:47 replicator.kinds.3.kind: is the same as that of replicator.kinds.1',
    ]);
  });

  it('names two projects that one label would stand for, and one server under two names', () => {
    const text = `${HEAD}projects:
  - {name: org/p, kubeconfig: a}
  - {name: org_p, kubeconfig: b}
  - {name: org//q, kubeconfig: a}
`;
    assert.deepEqual(problems(text), [
      'hub.yaml:6:12 projects.1.name: is the same as that of projects.0',
      `hub.yaml:7:12 projects.2.name: ${PROJECT_NAME_FACT}`,
      'hub.yaml:7:32 projects.2.kubeconfig: is the same as that of projects.0',
    ]);
  });

  it('names a key that is written twice, and still judges the rest', () => {
    const found = problems(`${HEAD}kind: HubConfig\nlog: {level: loud}\n`);
    assert.match(found[0] ?? '', /^hub\.yaml:4:1 .*unique/);
    assert.match(found[1] ?? '', /^hub\.yaml:5:14 log\.level: Invalid option/);
    assert.equal(found.length, 2);
  });

  it('names the place where a text stops being YAML', () => {
    assert.match(problems(`${HEAD}cells: [\n`)[0] ?? '', /^hub\.yaml:5:1 /);
  });

  it('is an empty file, a list, a word, or two documents', () => {
    for (const text of ['', '# nothing\n', '- a\n', 'word\n', `${HEAD}---\n${HEAD}`])
      assert.notDeepEqual(problems(text), [], JSON.stringify(text));
  });

  it('is one whose alias has no anchor', () => {
    assert.match(problems(`${HEAD}cells: *none\n`)[0] ?? '', /none/);
  });

  it('is refused by ConfigError and nothing else, each issue with a place', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json(),
          fc.string().map((tail) => HEAD + tail),
        ),
        (text) => {
          for (const problem of problems(text)) assert.match(problem, /^hub\.yaml:[1-9]\d*:[1-9]\d* \S/);
        },
      ),
    );
  });

  it('takes never for a frozen set that only an approval lets go, and says what else it takes', () => {
    const guard = (confirmAfter: string) =>
      parseConfig(`${HEAD}writeback: { shrinkGuard: { confirmAfter: ${confirmAfter} } }\n`, 'hub.yaml').writeback.shrinkGuard;
    assert.equal(guard('never').confirmAfterMs, undefined);
    assert.equal(guard('5m').confirmAfterMs, 300_000);
    assert.throws(() => guard('soon'), /writeback.shrinkGuard.confirmAfter: must be never, or a duration/);
  });

  it('limits deletions that were seen only where it says so', () => {
    const guard = (limits: string) =>
      parseConfig(`${HEAD}writeback: { shrinkGuard: { ${limits} } }\n`, 'hub.yaml').writeback.shrinkGuard.deletions;
    assert.equal(guard('deletionsWithin: 5m'), undefined);
    assert.deepEqual(guard('believedDeletions: 100'), { count: 100, withinMs: 60_000 });
    assert.deepEqual(guard('believedDeletions: 100, deletionsWithin: 5m'), { count: 100, withinMs: 300_000 });
    assert.throws(() => guard('believedDeletions: 0'), /writeback.shrinkGuard.believedDeletions/);
  });
});
