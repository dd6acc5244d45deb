import assert from 'node:assert/strict';
import { parseConfig } from '#cli/parse-config.ts';
import { partsNeedingRestart } from '#cli/restart-needed.ts';

const HEAD = 'apiVersion: federation.datumapis.com/v1alpha1\nkind: HubConfig\n';
const read = (text: string) => parseConfig(HEAD + text, '/hub.yaml');

describe('a changed configuration', () => {
  const before = read('hub: {kubeconfig: hub}\n');

  it('needs no restart for cells and projects, nor for a default that is written out', () => {
    assert.deepEqual(partsNeedingRestart(before, read('hub: {kubeconfig: hub}\ncells: [{name: a, kubeconfig: a}]\n')), []);
    assert.deepEqual(partsNeedingRestart(before, read('hub: {kubeconfig: ./hub}\nwriteback: {sweepInterval: 600s}\n')), []);
  });

  it('names every part that needs one', () => {
    const after = read(`roles: [writeback]
hub: {kubeconfig: other}
server: {address: ":1"}
log: {level: debug}
writeback: {concurrency: 1}
replicator: {kinds: [{group: '', version: v1, kind: ConfigMap}]}
`);
    assert.deepEqual(partsNeedingRestart(before, after), ['roles', 'hub', 'server', 'log', 'writeback', 'replicator']);
  });
});
