import assert from 'node:assert/strict';
import { ConfigError } from '#cli/errors.ts';
import { followConfig } from '#cli/follow-config.ts';
import { systemClock } from '#kube/clock.ts';

const HEAD = 'apiVersion: federation.datumapis.com/v1alpha1\nkind: HubConfig\nhub: {kubeconfig: hub}\n';
const withCell = (name: string) => `${HEAD}cells: [{name: ${name}, kubeconfig: ${name}}]\n`;
const UNREADABLE = new ConfigError('Unreadable', [{ file: 'f', line: 1, column: 1, path: '', message: 'gone' }]);

/** What is told when the file, once `first`, is found as each of `looks` in turn. */
async function follow(first: string, looks: (string | Error)[]): Promise<string[]> {
  const stop = new AbortController();
  const told: string[] = [];
  const left = [...looks];
  await followConfig({
    file: 'hub.yaml',
    text: first,
    clock: { ...systemClock, sleep: async () => (left.length === 0 ? stop.abort() : undefined) },
    signal: stop.signal,
    onConfig: ({ cells }) => void told.push(`cells: ${cells.map(({ name }) => name).join(',')}`),
    onRefused: ({ code }) => told.push(code),
    read: async () => {
      const look = left.shift() ?? '';
      if (look instanceof Error) throw look;
      return look;
    },
  });
  return told;
}

describe('following the configuration', () => {
  it('tells nothing while the text stays the same', async () => {
    assert.deepEqual(await follow(HEAD, [HEAD, HEAD]), []);
  });

  it('tells cells that come and go', async () => {
    assert.deepEqual(await follow(HEAD, [withCell('a'), withCell('a'), withCell('b'), HEAD]), ['cells: a', 'cells: b', 'cells: ']);
  });

  it('tells a bad text once, and the good one after it', async () => {
    assert.deepEqual(await follow(HEAD, ['cells: [', 'cells: [', withCell('a')]), ['Invalid', 'cells: a']);
  });

  it('tells a vanished file once, and what comes back even when it is the old text', async () => {
    assert.deepEqual(await follow(withCell('a'), [UNREADABLE, UNREADABLE, withCell('a')]), ['Unreadable', 'cells: a']);
  });
});
