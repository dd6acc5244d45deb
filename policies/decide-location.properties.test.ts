import assert from 'node:assert/strict';
import fc from 'fast-check';
import { CITY_CODE } from '#api/keys.ts';
import { absent, type Observation, present, unknown } from '#mirror/observation.ts';
import { decideLocation, type LocationView } from '#policies/decide-location.ts';
import type { HeldObject } from '#policies/held-object.ts';
import { locationPolicy } from '#policies/location-policy.ts';
import { reportsOf } from '#policies/reports.ts';
import { heldWith, NOW, policyHeld, servedFor, sourceWith } from '#policies/testing/views.ts';

function observed<T>(object: fc.Arbitrary<T>): fc.Arbitrary<Observation<T>> {
  return fc.oneof(object.map(present), fc.constant(absent<T>('weak')), fc.constant(unknown<T>('Timeout')));
}

const topologies = fc.dictionary(fc.constantFrom(CITY_CODE, 'region', '__proto__x'), fc.constantFrom('', 'a', 'b'));
const sources = fc.record({ generation: fc.nat(3), topology: topologies, deleting: fc.boolean() }).map(sourceWith);
const marks = fc.record({
  ...{ ours: fc.boolean(), terminating: fc.boolean(), override: fc.boolean() },
  ...{ blocked: fc.option(fc.constantFrom('x', 'EmptySourceList: the source lists no Location at all'), { nil: undefined }) },
  foreignManagers: fc.subarray(['a', 'b']),
});
const served: fc.Arbitrary<HeldObject> = fc.oneof(
  fc.tuple(sources, marks).map(([source, more]) => servedFor(source, more)),
  fc.tuple(fc.jsonValue(), marks).map(([spec, more]) => heldWith({ spec, ...more })),
);
const clusters = fc.array(fc.record({ name: fc.string(), ready: fc.boolean(), location: fc.constantFrom(undefined, 'dfw', 'ams') }));
const views: fc.Arbitrary<LocationView> = fc.record({
  name: fc.constantFrom('dfw', 'not.a.label'),
  now: fc.constant(NOW),
  source: observed(sources),
  held: observed(served),
  policy: observed(marks.map((more) => policyHeld(more))),
  sourceCount: observed(fc.nat(2)),
  clusters: observed(clusters),
});

describe('the decision about a location, whatever was observed', () => {
  it('is always one, the same for the same, and changes nothing of what was observed', () => {
    fc.assert(
      fc.property(views, (view) => {
        const before = structuredClone(view);
        assert.deepEqual(decideLocation(view), decideLocation(view));
        reportsOf(view);
        assert.deepEqual(structuredClone(view), before);
      }),
    );
  });

  it('removes only what is ours, of a source that is proven absent, when everything is known and something else is declared', () => {
    let removals = 0;
    fc.assert(
      fc.property(views, (view) => {
        const decision = decideLocation(view);
        if (decision.kind !== 'remove') return;
        removals += 1;
        assert.equal(view.source.kind, 'absent');
        assert.ok(view.held.kind !== 'unknown' && view.policy.kind !== 'unknown' && view.clusters.kind === 'present');
        assert.ok(view.sourceCount.kind === 'present' && view.sourceCount.object > 0);
        for (const held of [decision.location, decision.policy]) assert.ok(held === undefined || held.ours);
        const override = [decision.location, decision.policy].some((held) => held?.override);
        const blocking = view.clusters.object.filter(({ ready, location }) => ready && (location === undefined || location === view.name));
        assert.ok(override || blocking.length === 0);
      }),
      { numRuns: 2000 },
    );
    assert.ok(removals > 0, 'no removal was tried');
  });

  it('writes only over what is ours, and nothing for a source that is not there but why its removal is blocked', () => {
    fc.assert(
      fc.property(views, (view) => {
        const decision = decideLocation(view);
        if (decision.kind === 'publish') {
          assert.equal(view.source.kind, 'present');
          for (const write of [decision.location, decision.policy]) assert.ok(write?.over === undefined || write.over.ours);
          if (decision.location && !decision.location.over) assert.equal(view.held.kind, 'absent');
          if (decision.policy && !decision.policy.over) assert.equal(view.policy.kind, 'absent');
        }
        if (decision.kind === 'block') assert.ok(decision.over === undefined || decision.over.ours);
        if (decision.kind === 'keep') assert.ok(decision.unblock === undefined || decision.unblock.ours);
      }),
      { numRuns: 2000 },
    );
  });

  it('comes to rest: once carried out, nothing more is to be written', () => {
    fc.assert(
      fc.property(views, (view) => {
        const first = decideLocation(view);
        if (first.kind !== 'publish') return;
        const held = first.location ? present(heldWith({ spec: first.location.object['spec'] })) : view.held;
        const policy = first.policy ? present(policyHeld({ spec: locationPolicy(view.name)['spec'] })) : view.policy;
        const next = decideLocation({ ...view, held, policy, now: '2031-01-01T00:00:00.000Z' });
        assert.deepEqual(next, { kind: 'publish', location: undefined, policy: undefined, refused: first.refused });
      }),
    );
  });
});
