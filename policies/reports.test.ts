import assert from 'node:assert/strict';
import { absent, present, unknown } from '#mirror/observation.ts';
import type { LocationView } from '#policies/decide-location.ts';
import { reportEvent } from '#policies/report-event.ts';
import { reportsOf } from '#policies/reports.ts';
import { goneWith, heldWith, NOW, policyHeld, servedFor, sourceWith, viewWith } from '#policies/testing/views.ts';

const noCity = present(sourceWith({ topology: {} }));
const foreign = present(heldWith({ ours: false }));

const ROWS: [string, LocationView, string[]][] = [
  ['nothing of a location in order', viewWith(), []],
  ['nothing of what is unknown', viewWith({ source: unknown('x'), held: foreign }), []],
  ['nothing of a location that nobody declares', goneWith({ held: foreign }), []],
  ['a name that no cell accepts', viewWith({ name: 'a.b', held: absent('weak') }), ['InvalidLocationName Location a.b']],
  ['a missing city code', viewWith({ source: noCity }), ['MissingCityCode Location dfw']],
  ['a name that is not ours', viewWith({ held: foreign }), ['UnlabelledHubObject ServingLocation dfw']],
  ['a policy that is not ours', viewWith({ policy: foreign }), ['UnlabelledHubObject ClusterPropagationPolicy location-dfw']],
  [
    'others who own part of a spec',
    viewWith({
      held: present(servedFor(sourceWith(), { foreignManagers: ['a'] })),
      policy: present(policyHeld({ foreignManagers: ['b'] })),
    }),
    ['ForeignFieldManager ServingLocation dfw', 'ForeignFieldManager ClusterPropagationPolicy location-dfw'],
  ],
  [
    'all of it at once',
    viewWith({ source: noCity, held: foreign }),
    ['MissingCityCode Location dfw', 'UnlabelledHubObject ServingLocation dfw'],
  ],
];

describe('what an operator is told of a location', () => {
  for (const [name, view, words] of ROWS) {
    it(name, () => {
      const told = reportsOf(view).map(({ reason, about }) => `${reason} ${about.resource.kind} ${about.name}`);
      assert.deepEqual(told, words);
    });
  }

  it('comes as an Event under a name that is the same for the same state and another one for a new state', () => {
    const nameAt = (generation: number) => {
      const [report] = reportsOf(viewWith({ source: present(sourceWith({ topology: {}, generation })) }));
      assert.ok(report);
      return reportEvent(report, Date.parse(NOW)).metadata.name;
    };
    assert.equal(nameAt(1), nameAt(1));
    assert.notEqual(nameAt(1), nameAt(2));
  });

  it('comes as an Event with a name that an API server accepts, however long the location', () => {
    for (const name of ['a.b', 'x'.repeat(253), `${'x'.repeat(170)}.${'y'.repeat(70)}`]) {
      const [report] = reportsOf(viewWith({ name, held: absent('weak') }));
      assert.ok(report);
      const event = reportEvent(report, Date.parse(NOW));
      assert.match(event.metadata.name, /^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/);
      assert.equal(event['eventTime'], '2030-02-02T00:00:00.000000Z');
    }
  });
});
