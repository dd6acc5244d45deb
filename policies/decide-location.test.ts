import assert from 'node:assert/strict';
import { CITY_CODE } from '#api/keys.ts';
import { absent, present, unknown } from '#mirror/observation.ts';
import { decideLocation, type LocationDecision, type LocationView } from '#policies/decide-location.ts';
import { locationPolicy } from '#policies/location-policy.ts';
import type { MemberCluster } from '#policies/member-cluster.ts';
import { EARLIER, goneWith, heldWith, NOW, policyHeld, servedFor, sourceWith, viewWith } from '#policies/testing/views.ts';

/** A decision in a few words: what is written and what is left. */
function wordsOf(decision: LocationDecision): string {
  const given = (name: string, value: unknown) => (value === undefined ? [] : [name]);
  switch (decision.kind) {
    case 'publish': {
      const parts = [
        ...given('location', decision.location),
        ...given('policy', decision.policy),
        ...(decision.refused ? ['refused'] : []),
      ];
      return ['publish', ...parts].join(' ');
    }
    case 'keep':
      return [`keep ${decision.reason}`, ...given('unblock', decision.unblock)].join(' ');
    case 'wait':
      return `wait ${decision.reason}`;
    case 'block':
      return [decision.text, ...given('(write)', decision.over)].join(' ');
    case 'remove':
      return ['remove', ...given('location', decision.location), ...given('policy', decision.policy)].join(' ');
    default:
      return decision.kind;
  }
}

const cluster = (name: string, location?: string, ready = true): MemberCluster => ({ name, location, ready });
const fleet = (...clusters: MemberCluster[]) => present(clusters);
const nowhere = unknown<never>('NotListed');
const none = absent<never>('weak');
const noCity = present(sourceWith({ topology: { region: 'us' } }));

const ROWS: [string, LocationView, string][] = [
  // Unknown
  ['a source that is unknown keeps everything', viewWith({ source: nowhere }), 'keep SourceUnread'],
  ['a hub that is unknown is not written to', viewWith({ held: nowhere }), 'keep HubUnread'],
  ['policies that are unknown hold back everything', viewWith({ policy: nowhere }), 'keep HubUnread'],
  ['an unknown hub is not removed from', goneWith({ held: nowhere }), 'keep HubUnread'],
  ['a source list that is not complete removes nothing', goneWith({ sourceCount: nowhere }), 'keep EmptySourceList'],
  ['a fleet that is unknown removes nothing', goneWith({ clusters: nowhere }), 'wait FleetUnread'],
  ['nor does an override', goneWith({ clusters: nowhere, held: present(servedFor(sourceWith(), { override: true })) }), 'wait FleetUnread'],

  // Publishing
  ['a location that is published as it should be is left alone', viewWith(), 'publish'],
  ['a new location is published with its policy', viewWith({ held: none, policy: none }), 'publish location policy'],
  ['a policy that went is made again', viewWith({ policy: none }), 'publish policy'],
  ['a serving location that went is made again', viewWith({ held: none }), 'publish location'],
  ['a policy that was edited is put right', viewWith({ policy: present(policyHeld({ spec: { priority: 9 } })) }), 'publish policy'],
  ['another topology is published', viewWith({ source: present(sourceWith({ topology: { [CITY_CODE]: 'X' } })) }), 'publish location'],
  ['another generation is published', viewWith({ source: present(sourceWith({ generation: 4 })) }), 'publish location'],
  ['an annotation about a removal goes', viewWith({ held: present(servedFor(sourceWith(), { blocked: 'x' })) }), 'publish location'],
  ['publishing needs no fleet', viewWith({ held: none, clusters: nowhere, sourceCount: nowhere }), 'publish location'],
  ['what is being deleted on the hub is awaited', viewWith({ held: present(heldWith({ terminating: true })) }), 'wait CopyTerminating'],
  ['so is its policy', viewWith({ policy: present(policyHeld({ terminating: true })) }), 'wait CopyTerminating'],

  // Not publishing
  ['no city code: not published', viewWith({ source: noCity, held: none, policy: none }), 'keep MissingCityCode'],
  ['an empty city code is none', viewWith({ source: present(sourceWith({ topology: { [CITY_CODE]: '' } })) }), 'keep MissingCityCode'],
  ['no city code: what is published stays', viewWith({ source: noCity }), 'keep MissingCityCode'],
  [
    'no city code: still, it is there again',
    viewWith({ source: noCity, held: present(heldWith({ blocked: 'x' })) }),
    'keep MissingCityCode unblock',
  ],
  ['a Location under deletion keeps what is up', viewWith({ source: present(sourceWith({ deleting: true })) }), 'keep LocationDeleting'],
  ['a name that no cell accepts is not published', viewWith({ name: 'a.b' }), 'keep InvalidLocationName'],
  ['a serving location that is not ours is left alone', viewWith({ held: present(servedFor(sourceWith(), { ours: false })) }), 'refuse'],
  ['even an empty one', viewWith({ held: present(heldWith({ ours: false })), policy: none }), 'refuse'],
  [
    'a policy that is not ours is left alone',
    viewWith({ held: none, policy: present(heldWith({ ours: false })) }),
    'publish location refused',
  ],

  // Removing
  ['a location that is gone goes, its policy too', goneWith(), 'remove location policy'],
  ['a policy that was left behind goes', goneWith({ held: none }), 'remove policy'],
  ['what is not ours stays when its source is gone', goneWith({ held: present(heldWith({ ours: false })), policy: none }), 'none'],
  ['a policy that is not ours stays', goneWith({ policy: present(heldWith({ ours: false })) }), 'remove location'],
  ['nothing calls for nothing', goneWith({ held: none, policy: none, clusters: nowhere }), 'none'],
  ['a removal under way is awaited', goneWith({ held: present(servedFor(sourceWith(), { terminating: true })) }), 'wait CopyTerminating'],
  ['so is that of the policy', goneWith({ held: none, policy: present(policyHeld({ terminating: true })) }), 'wait CopyTerminating'],
  ['an empty list blocks', goneWith({ sourceCount: present(0) }), 'EmptySourceList: the source lists no Location at all (write)'],
  [
    'an override does not stand for an empty list',
    goneWith({ sourceCount: present(0), held: present(servedFor(sourceWith(), { override: true })) }),
    'EmptySourceList: the source lists no Location at all (write)',
  ],
  [
    'Ready clusters of that location block, in the order of their names',
    goneWith({ clusters: fleet(cluster('c2', 'dfw'), cluster('c1', 'dfw'), cluster('c3', 'ams'), cluster('c0')) }),
    'ClustersStillServing: Ready with location "dfw": c1, c2 (write)',
  ],
  [
    'Ready clusters without a location block, in the order of their names',
    goneWith({ clusters: fleet(cluster('c2'), cluster('c1'), cluster('c3', 'ams')) }),
    'FleetNotFullyLabelled: Ready without label topology.datum.net/location: c1, c2 (write)',
  ],
  [
    'clusters that are not Ready block nothing',
    goneWith({ clusters: fleet(cluster('a', 'dfw', false), cluster('b', undefined, false)) }),
    'remove location policy',
  ],
  ['clusters elsewhere block nothing', goneWith({ clusters: fleet(cluster('a', 'ams')) }), 'remove location policy'],
  [
    'an override stands for the clusters',
    goneWith({ clusters: fleet(cluster('a', 'dfw'), cluster('b')), held: present(servedFor(sourceWith(), { override: true })) }),
    'remove location policy',
  ],
  [
    'an override on a policy that was left behind counts too',
    goneWith({ clusters: fleet(cluster('a', 'dfw')), held: none, policy: present(policyHeld({ override: true })) }),
    'remove policy',
  ],
  [
    'an override on what is not ours counts for nothing',
    goneWith({ clusters: fleet(cluster('a', 'dfw')), held: present(heldWith({ ours: false, override: true })) }),
    'ClustersStillServing: Ready with location "dfw": a',
  ],
  [
    'a block that is written already is not written again',
    goneWith({
      clusters: fleet(cluster('a', 'dfw')),
      held: present(servedFor(sourceWith(), { blocked: 'ClustersStillServing: Ready with location "dfw": a' })),
    }),
    'ClustersStillServing: Ready with location "dfw": a',
  ],
];

describe('what to do about a location', () => {
  for (const [name, view, words] of ROWS) {
    it(name, () => assert.equal(wordsOf(decideLocation(view)), words));
  }

  it('publishes the whole topology over the object that was seen, at the earlier moment where only metadata differs', () => {
    const held = servedFor(sourceWith(), { blocked: 'x' });
    const decision = decideLocation(viewWith({ held: present(held) }));
    assert.ok(decision.kind === 'publish');
    assert.equal(decision.location?.over, held);
    assert.deepEqual(decision.location.object['spec'], {
      topology: sourceWith().topology,
      source: { generation: 3, publishedAt: EARLIER },
    });
  });

  it('publishes new content at the present moment, and the policy of that location', () => {
    const decision = decideLocation(viewWith({ held: none, policy: none }));
    assert.ok(decision.kind === 'publish');
    assert.deepEqual(decision.location?.object['spec'], { topology: sourceWith().topology, source: { generation: 3, publishedAt: NOW } });
    assert.deepEqual(decision.policy, { object: locationPolicy('dfw'), over: undefined });
  });
});
