import assert from 'node:assert/strict';
import fc from 'fast-check';
import { KARMADA_MANAGED, SLICE_PROJECTION, TENANT_ID, UPSTREAM_CLUSTER_NAME } from '#api/keys.ts';
import type { EndpointSlice } from '#api/objects.ts';
import { type NamespaceRouting, reduceNamespace } from '#mirror/namespace-routing.ts';
import { absent, type Observation, present, unknown } from '#mirror/observation.ts';
import { decideSlice, type SliceSurroundings } from '#writeback/decide-slice.ts';
import { resolveRouting } from '#writeback/routing.ts';
import { namespaceWith, ROUTING_LABELS, sourceSlice } from '#writeback/testing/slices.ts';

/** Objects as JSON gives them, not the rarer ones without a prototype. */
const PLAIN = { noNullPrototype: true };
const GOING = { deletionTimestamp: '2030-01-01T00:00:00Z' };

const namespaces = fc.oneof(
  { weight: 4, arbitrary: fc.constant(ROUTING_LABELS) },
  fc.constantFrom<Record<string, string>>({}, { ...ROUTING_LABELS, [UPSTREAM_CLUSTER_NAME]: 'cluster-' }),
  fc.constant({ ...ROUTING_LABELS, [UPSTREAM_CLUSTER_NAME]: 'cluster-other' }),
);
const namespaceSightings: fc.Arbitrary<Observation<NamespaceRouting>> = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(namespaces, fc.boolean()).map(([labels, going]) => present(reduced(labels, going))) },
  fc.constantFrom(unknown<NamespaceRouting>('Timeout'), unknown<NamespaceRouting>('NotListed'), absent<NamespaceRouting>('weak')),
);
const slices: fc.Arbitrary<EndpointSlice> = fc
  .record({
    labels: fc.dictionary(
      fc.constantFrom(TENANT_ID, SLICE_PROJECTION, KARMADA_MANAGED, 'app'),
      fc.constantFrom('true', 'false', 'x'),
      PLAIN,
    ),
    going: fc.boolean(),
    endpoints: fc.constantFrom([], null, undefined, [{ addresses: ['fd00::1'] }]),
  })
  .map(({ labels, going, endpoints }) => sourceSlice({ labels, ...(going && GOING) }, { endpoints }));
const observations: fc.Arbitrary<Observation<EndpointSlice>> = fc.oneof(
  { weight: 3, arbitrary: slices.map((slice) => present(slice)) },
  fc.constantFrom('Timeout', 'Forbidden', 'NotServed').map((why) => unknown<EndpointSlice>(why)),
  fc.constantFrom('strong' as const, 'weak' as const).map((evidence) => absent<EndpointSlice>(evidence)),
);
const surroundings: fc.Arbitrary<SliceSurroundings> = fc.record(
  {
    paused: fc.boolean(),
    location: fc.constantFrom<SliceSurroundings['location'][]>(
      { kind: 'resolved', name: 'ams-1', from: 'delivered' },
      { kind: 'resolved', name: 'fra-1', from: 'configured' },
      { kind: 'unresolved', reason: 'LocationUnread' },
      { kind: 'unresolved', reason: 'AmbiguousLocationIdentity' },
    ),
    identity: fc.constantFrom<SliceSurroundings['identity'][]>(
      { kind: 'bound', uid: 'cell-uid' },
      { kind: 'bound', uid: 'other-uid' },
      { kind: 'unbound', reason: 'IdentityFenced' },
      { kind: 'unbound', reason: 'IdentityUnread' },
    ),
    cellNamespace: namespaceSightings,
    hubNamespace: namespaceSightings,
    occupant: fc.constantFrom<SliceSurroundings['occupant'][]>('unknown', 'free', 'ours', 'foreign'),
  },
  PLAIN,
);

/** Holds for every observation in every surroundings, a few thousand of which are tried. */
function always(holds: (slice: Observation<EndpointSlice>, around: SliceSurroundings) => void): void {
  fc.assert(fc.property(observations, surroundings, holds), { numRuns: 3_000 });
}

describe('the decision about a slice', () => {
  it('is made for everything that can be observed, with a reason wherever it is no copy', () => {
    always((slice, around) => {
      const decision = decideSlice(slice, around);
      if (decision.kind === 'copy') assert.ok(decision.copy.metadata.name);
      else assert.match(decision.reason, /^[A-Z][A-Za-z]+$/);
    });
  });

  it('is the same whenever the same is observed', () => {
    always((slice, around) => assert.deepEqual(decideSlice(structuredClone(slice), structuredClone(around)), decideSlice(slice, around)));
  });

  it('changes nothing that was observed', () => {
    always((slice, around) => {
      const before = structuredClone({ slice, around });
      decideSlice(slice, around);
      assert.deepEqual({ slice, around }, before);
    });
  });

  it('withdraws only for a source that is absent, going or without a tenant', () => {
    always((slice, around) => {
      if (decideSlice(slice, around).kind !== 'withdraw' || slice.kind === 'absent') return;
      assert.ok(slice.kind === 'present');
      const { labels, deletionTimestamp } = slice.object.metadata;
      assert.ok(deletionTimestamp !== undefined || labels?.[TENANT_ID] === undefined);
    });
  });

  it('leaves the hub as it is while the cell is paused', () => {
    always((slice, around) => {
      if (around.paused) assert.deepEqual(decideSlice(slice, around), { kind: 'keep', reason: 'Paused' });
    });
  });

  it('withdraws nothing while location, identity or routing are not resolved', () => {
    always((slice, around) => {
      if (decideSlice(slice, around).kind !== 'withdraw') return;
      assert.equal(around.location.kind, 'resolved');
      assert.equal(around.identity.kind, 'bound');
      assert.notEqual(resolveRouting(around.cellNamespace, around.hubNamespace).kind, 'held');
    });
  });

  it('never withdraws on stronger evidence than there is', () => {
    always((slice, around) => {
      const decision = decideSlice(slice, around);
      if (decision.kind === 'withdraw') assert.equal(decision.evidence, slice.kind === 'absent' ? slice.evidence : 'strong');
    });
  });

  it('neither publishes a copy that came back nor withdraws for it', () => {
    always((slice, around) => {
      const labels = slice.kind === 'present' ? (slice.object.metadata.labels ?? {}) : {};
      if (SLICE_PROJECTION in labels || labels[KARMADA_MANAGED] === 'true') assert.equal(decideSlice(slice, around).kind, 'keep');
    });
  });

  it('publishes only what is there, has endpoints, is routed, and finds a name and a namespace that may be written', () => {
    always((slice, around) => {
      if (decideSlice(slice, around).kind !== 'copy') return;
      assert.ok(slice.kind === 'present' && slice.object.endpoints?.length);
      assert.equal(resolveRouting(around.cellNamespace, around.hubNamespace).kind, 'routed');
      assert.ok(around.occupant === 'free' || around.occupant === 'ours');
      assert.ok(around.hubNamespace.kind === 'present' && !around.hubNamespace.object.terminating);
    });
  });
});

function reduced(labels: Record<string, string>, going: boolean): NamespaceRouting {
  return reduceNamespace(namespaceWith(labels, going ? GOING : {}));
}
