import assert from 'node:assert/strict';
import fc from 'fast-check';
import { KARMADA_MANAGED } from '#api/keys.ts';
import type { KubeObject } from '#api/objects.ts';
import { absent, type Observation, present, unknown } from '#mirror/observation.ts';
import { decideObject, type ObjectSurroundings } from '#replicator/decide-object.ts';
import { desiredObject } from '#replicator/desired-object.ts';
import { ORIGIN, SETTLED, sourceObject } from '#replicator/testing/objects.ts';

const there = present(sourceObject());
const gone = absent<KubeObject>('strong');
const managed = present(sourceObject({ labels: { [KARMADA_MANAGED]: 'true' } }));
const copyNamespace = present({ name: 'default', uid: 'n1', isCopy: true });

const table: [string, Observation<KubeObject>, Partial<ObjectSurroundings>, unknown][] = [
  ['an unbound project', there, { identity: { kind: 'unbound', reason: 'IdentityFenced' } }, { kind: 'keep', reason: 'IdentityFenced' }],
  ['an unbound project', gone, { identity: { kind: 'unbound', reason: 'IdentityUnread' } }, { kind: 'keep', reason: 'IdentityUnread' }],
  ['an object that was not read', unknown('Forbidden'), {}, { kind: 'keep', reason: 'Forbidden' }],
  ['a namespace that was not read', there, { projectNamespace: unknown('NotListed') }, { kind: 'keep', reason: 'NamespaceUnread' }],
  ['a namespace that was not read', gone, { projectNamespace: unknown('NotListed') }, { kind: 'keep', reason: 'NamespaceUnread' }],
  ['a namespace that is a copy', there, { projectNamespace: copyNamespace }, { kind: 'keep', reason: 'NamespaceIsCopy' }],
  ['a namespace that is a copy', gone, { projectNamespace: copyNamespace }, { kind: 'keep', reason: 'NamespaceIsCopy' }],
  ['an absent object', gone, {}, { kind: 'withdraw', reason: 'SourceAbsent', evidence: 'strong' }],
  ['an object missing from a list', absent('weak'), {}, { kind: 'withdraw', reason: 'SourceAbsent', evidence: 'weak' }],
  [
    'an object gone with its namespace',
    gone,
    { projectNamespace: absent('weak') },
    { kind: 'withdraw', reason: 'SourceAbsent', evidence: 'strong' },
  ],
  ['a delivered object', managed, {}, { kind: 'keep', reason: 'KarmadaManaged' }],
  ['a delivered object', managed, { selected: false }, { kind: 'keep', reason: 'KarmadaManaged' }],
  ['an object not selected', there, { selected: false }, { kind: 'withdraw', reason: 'NotSelected', evidence: 'strong' }],
  ['an object in no namespace', there, { projectNamespace: absent('weak') }, { kind: 'keep', reason: 'NamespaceGone' }],
  ['a name that is taken', there, { occupant: 'foreign' }, { kind: 'refuse', reason: 'NameTaken' }],
  ['a hub that was not read', there, { occupant: 'unknown' }, { kind: 'keep', reason: 'HubUnread' }],
  ['a hub namespace that was not read', there, { hubNamespace: unknown('NotListed') }, { kind: 'wait', reason: 'HubNamespaceUnread' }],
];

const namespaces = fc.oneof(
  fc.constant(SETTLED.projectNamespace),
  fc.constantFrom(copyNamespace, unknown<never>('Timeout'), absent<never>('weak')),
);
const surroundings: fc.Arbitrary<ObjectSurroundings> = fc.record(
  {
    kind: fc.constant(SETTLED.kind),
    selected: fc.boolean(),
    project: fc.constantFrom('p', 'org/p'),
    identity: fc.constantFrom<ObjectSurroundings['identity'][]>(SETTLED.identity, { kind: 'unbound', reason: 'IdentityFenced' }),
    projectNamespace: namespaces,
    hubNamespace: fc.oneof(fc.constant(SETTLED.hubNamespace), fc.constantFrom(unknown<never>('Timeout'), absent<never>('weak'))),
    occupant: fc.constantFrom<ObjectSurroundings['occupant'][]>('unknown', 'free', 'ours', 'foreign'),
  },
  { noNullPrototype: true },
);
const observations: fc.Arbitrary<Observation<KubeObject>> = fc.constantFrom(
  there,
  managed,
  present(sourceObject({ deletionTimestamp: '2030-01-01T00:00:00Z' })),
  gone,
  absent<KubeObject>('weak'),
  unknown<KubeObject>('Timeout'),
);

describe('the decision about an object', () => {
  for (const [what, observation, around, decision] of table) {
    it(`is ${JSON.stringify(decision)} for ${what} (${observation.kind})`, () => {
      assert.deepEqual(decideObject(observation, { ...SETTLED, ...around }), decision);
    });
  }

  it('is its copy where nothing is in the way, in a hub namespace that is missing too', () => {
    const decision = { kind: 'copy', copy: desiredObject(sourceObject(), ORIGIN) };
    assert.deepEqual(decideObject(there, SETTLED), decision);
    assert.deepEqual(decideObject(there, { ...SETTLED, hubNamespace: absent('weak'), occupant: 'ours' }), decision);
  });

  it('is to wait while the hub namespace is going', () => {
    const hubNamespace = present({ cluster: 'cluster-org_p', namespace: 'default', clusterInFull: undefined, terminating: true });
    assert.deepEqual(decideObject(there, { ...SETTLED, hubNamespace }), { kind: 'wait', reason: 'HubNamespaceTerminating' });
  });

  it('leaves the copy of an object that waits for its finalizers', () => {
    const going = present(sourceObject({ deletionTimestamp: '2030-01-01T00:00:00Z' }));
    assert.equal(decideObject(going, SETTLED).kind, 'copy');
  });

  it('is never to withdraw while anything that it rests on is not known', () => {
    fc.assert(
      fc.property(observations, surroundings, (observation, around) => {
        const decision = decideObject(observation, around);
        if (decision.kind !== 'withdraw') return;
        assert.equal(around.identity.kind, 'bound');
        assert.notEqual(around.projectNamespace.kind, 'unknown');
        assert.ok(observation.kind === 'absent' || (observation.kind === 'present' && !around.selected));
      }),
    );
  });

  it('is never to publish or to withdraw for a namespace that is a copy', () => {
    fc.assert(
      fc.property(observations, surroundings, (observation, around) => {
        assert.equal(decideObject(observation, { ...around, projectNamespace: copyNamespace }).kind, 'keep');
      }),
    );
  });

  it('is never to write over what is not ours', () => {
    fc.assert(
      fc.property(observations, surroundings, (observation, around) => {
        assert.notEqual(decideObject(observation, { ...around, occupant: 'foreign' }).kind, 'copy');
      }),
    );
  });
});
