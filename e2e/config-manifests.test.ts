import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { parseAllDocuments } from 'yaml';

const CONFIG = new URL('../config/', import.meta.url);
const READ_VERBS = ['get', 'list', 'watch'];

type Manifest = {
  kind: string;
  metadata: { name: string; namespace?: string };
  rules?: { apiGroups: string[]; resources: string[]; verbs: string[] }[];
  spec?: { resourceSelectors?: { apiVersion: string; kind: string; labelSelector?: unknown }[] };
};

describe('the manifests under config/', () => {
  for (const plane of ['cell', 'project']) {
    it(`give no right on a ${plane} but to read`, () => {
      for (const rule of rulesOf(`rbac/${plane}.yaml`)) {
        assert.deepEqual(rule.verbs, READ_VERBS, rule.resources.join());
      }
    });
  }

  it('let the replicator make namespaces on the hub and never delete one, and keep copies one by one', () => {
    const KINDS = ['networks', 'networkcontexts', 'subnets'];
    assert.deepEqual(rulesOf('rbac/hub-replicator.yaml'), [
      { apiGroups: [''], resources: ['namespaces'], verbs: [...READ_VERBS, 'create', 'patch'] },
      { apiGroups: ['networking.datumapis.com'], resources: KINDS, verbs: [...READ_VERBS, 'create', 'patch', 'delete'] },
    ]);
  });

  it('let the write-back delete nothing on the hub but slices, one by one', () => {
    const deleting = rulesOf('rbac/hub.yaml').filter(({ verbs }) => verbs.some((verb) => verb.startsWith('delete')));
    assert.deepEqual(deleting, [
      { apiGroups: ['discovery.k8s.io'], resources: ['endpointslices'], verbs: [...READ_VERBS, 'create', 'patch', 'delete'] },
    ]);
  });

  it('let the write-back write nothing on the hub but slices, its own reports, and Events', () => {
    const writing = rulesOf('rbac/hub.yaml').filter(({ verbs }) => verbs.some((verb) => !READ_VERBS.includes(verb)));
    assert.deepEqual(
      writing.flatMap(({ resources }) => resources),
      ['endpointslices', 'cellreports', 'cellreports/status', 'events'],
    );
  });

  it('let the write-back make Events where those about its reports lie, and not read, change or delete any', () => {
    const roles = manifests('rbac/hub.yaml').filter(({ kind }) => kind === 'Role');
    assert.deepEqual(
      roles.map(({ metadata: { namespace }, rules }) => [namespace, rules]),
      [['default', [{ apiGroups: ['events.k8s.io'], resources: ['events'], verbs: ['create'] }]]],
    );
  });

  it('name every group and resource in full', () => {
    const rules = ['cell', 'project', 'hub', 'hub-replicator'].flatMap((file) => rulesOf(`rbac/${file}.yaml`));
    const named = rules.flatMap(({ apiGroups, resources, verbs }) => [...apiGroups, ...resources, ...verbs]);
    assert.ok(!named.some((word) => word.includes('*')), named.join());
  });

  it('select no Network, NetworkContext or Subnet for the gateways', () => {
    const kinds = policies().flatMap((policy) => policy.spec?.resourceSelectors?.map(({ kind }) => kind) ?? []);
    assert.deepEqual(kinds.sort(), ['EndpointSlice', 'Namespace']);
  });

  it('select nothing for the gateways without a label', () => {
    for (const selector of policies().flatMap((policy) => policy.spec?.resourceSelectors ?? [])) {
      assert.ok(selector.labelSelector, `${selector.kind} is selected whole`);
    }
  });
});

function rulesOf(path: string) {
  const rules = manifests(path).flatMap((manifest) => manifest.rules ?? []);
  assert.ok(rules.length > 0, `${path} holds no rules`);
  return rules;
}

function policies(): Manifest[] {
  const found = readdirSync(new URL('policies/', CONFIG)).flatMap((name) => manifests(`policies/${name}`));
  assert.ok(found.length > 0, 'no policy found');
  return found;
}

function manifests(path: string): Manifest[] {
  return parseAllDocuments(readFileSync(new URL(path, CONFIG), 'utf8')).map((document) => document.toJS() as Manifest);
}
