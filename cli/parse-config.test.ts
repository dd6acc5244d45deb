import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ConfigError } from '#cli/errors.ts';
import { parseConfig } from '#cli/parse-config.ts';

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
    assert.deepEqual(parseConfig(HEAD, '/etc/fedhub/hub.yaml'), {
      hub: { kubeconfig: '/etc/fedhub/hub.kubeconfig' },
      cells: [],
      server: { address: { host: '127.0.0.1', port: 8080 } },
      log: { level: 'info' },
      writeback: { sweepIntervalMs: 600_000, retryIntervalMs: 30_000, idleTimeoutMs: 90_000, concurrency: 32 },
    });
  });

  it('takes paths from its own folder, and leaves absolute ones', () => {
    const cells = 'cells: [{name: a, kubeconfig: cells/a, context: main, location: one}, {name: b, kubeconfig: /b}]\n';
    assert.deepEqual(parseConfig(HEAD + cells, '/etc/fedhub/hub.yaml').cells, [
      { name: 'a', kubeconfig: '/etc/fedhub/cells/a', context: 'main', location: 'one' },
      { name: 'b', kubeconfig: '/b' },
    ]);
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
});
