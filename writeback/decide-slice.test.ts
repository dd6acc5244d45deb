import assert from 'node:assert/strict';
import { KARMADA_MANAGED, SLICE_PROJECTION, TENANT_ID } from '#api/keys.ts';
import type { EndpointSlice } from '#api/objects.ts';
import { reduceNamespace } from '#mirror/namespace-routing.ts';
import { absent, type Observation, present, unknown } from '#mirror/observation.ts';
import { decideSlice, type SliceSurroundings } from '#writeback/decide-slice.ts';
import { desiredSlice } from '#writeback/desired-slice.ts';
import { namespaceWith, ORIGIN, ROUTING_LABELS, SETTLED, sourceSlice } from '#writeback/testing/slices.ts';

type Row = [name: string, slice: Observation<EndpointSlice>, around: Partial<SliceSurroundings>, expected: unknown];

const going = { deletionTimestamp: '2030-01-01T00:00:00Z' };
const tenant = { [TENANT_ID]: 'Ab3-Zz9' };
const live = present(sourceSlice());
const deleting = present(sourceSlice(going));
const untenanted = present(sourceSlice({ labels: {} }));
const empty = present(sourceSlice({}, { endpoints: [] }));
const ours = { ...tenant, [SLICE_PROJECTION]: 'true' };
const returned = present(sourceSlice({ labels: ours }));
const managed = present(sourceSlice({ labels: { ...tenant, [KARMADA_MANAGED]: 'true' } }));
const unlabelled = present(reduceNamespace(namespaceWith({})));
const terminating = present(reduceNamespace(namespaceWith(ROUTING_LABELS, going)));
const nowhere: Partial<SliceSurroundings> = { location: { kind: 'unresolved', reason: 'NoLocationIdentity' } };
const fenced: Partial<SliceSurroundings> = { identity: { kind: 'unbound', reason: 'IdentityFenced' } };
const paused: Partial<SliceSurroundings> = { paused: true };
const unread = unknown<never>('Timeout');
const none = absent<never>('weak');

const keep = (reason: string) => ({ kind: 'keep', reason });
const report = (reason: string) => ({ kind: 'keep', reason, report: true });
const withdraw = (reason: string, evidence = 'strong') => ({ kind: 'withdraw', reason, evidence });
const copy = { kind: 'copy', copy: desiredSlice(sourceSlice(), ORIGIN) };

/** The table of contract section 2, row by row; every row also where a later one would decide otherwise. */
const TABLE: Record<string, Row[]> = {
  '0: an operator has paused the cell': [
    ['a live slice', live, paused, keep('Paused')],
    ['a live slice with a copy', live, { ...paused, occupant: 'ours' }, keep('Paused')],
    ['an absent slice with a copy', absent('strong'), { ...paused, occupant: 'ours' }, keep('Paused')],
    ['a slice that is being deleted', deleting, paused, keep('Paused')],
    ['a slice without a tenant', untenanted, paused, keep('Paused')],
    ['a slice of a fenced cell', live, { ...paused, ...fenced }, keep('Paused')],
    ['a failed read', unread, paused, keep('Paused')],
  ],
  '1: the location or the identity is not resolved': [
    ['a live slice without a location', live, nowhere, keep('NoLocationIdentity')],
    ['a live slice of a fenced cell', live, fenced, keep('IdentityFenced')],
    [
      'a live slice of a cell that was not asked yet',
      live,
      { identity: { kind: 'unbound', reason: 'IdentityUnread' } },
      keep('IdentityUnread'),
    ],
    ['an absent slice without a location', absent('strong'), nowhere, keep('NoLocationIdentity')],
    ['an absent slice of a fenced cell', absent('strong'), fenced, keep('IdentityFenced')],
    ['a slice that is being deleted in a fenced cell', deleting, fenced, keep('IdentityFenced')],
  ],
  '2: the source is unknown': [
    ['a failed read', unknown('Forbidden'), {}, keep('Forbidden')],
    ['no list yet', unknown('NotListed'), { occupant: 'foreign', hubNamespace: none }, keep('NotListed')],
  ],
  '3: the slice is a copy that came back': [
    ['our label', returned, {}, keep('ReturnedCopy')],
    ['our label with another value', present(sourceSlice({ labels: { ...tenant, [SLICE_PROJECTION]: '' } })), {}, keep('ReturnedCopy')],
    ["Karmada's mark alone", managed, {}, keep('KarmadaManaged')],
    ['our label on a slice that is being deleted', present(sourceSlice({ labels: ours, ...going })), {}, keep('ReturnedCopy')],
    ["Karmada's mark without a tenant", present(sourceSlice({ labels: { [KARMADA_MANAGED]: 'true' } })), {}, keep('KarmadaManaged')],
    ['our label without routing', returned, { cellNamespace: unlabelled }, keep('ReturnedCopy')],
    ["no mark in Karmada's false", present(sourceSlice({ labels: { ...tenant, [KARMADA_MANAGED]: 'false' } })), {}, copy],
  ],
  '4: the source is proven absent': [
    ['seen as a deletion', absent('strong'), { occupant: 'ours' }, withdraw('SourceAbsent')],
    ['found by a list', absent('weak'), { occupant: 'ours' }, withdraw('SourceAbsent', 'weak')],
    ['with its whole namespace', absent('weak'), { cellNamespace: none }, withdraw('SourceAbsent', 'weak')],
    ['while the namespace is missing on the hub', absent('strong'), { hubNamespace: none }, withdraw('SourceAbsent')],
  ],
  '5: the source is going, or nobody is its tenant': [
    ['deletionTimestamp', deleting, { occupant: 'ours' }, withdraw('SourceDeleting')],
    ['no tenant label', untenanted, { occupant: 'ours' }, withdraw('TenantLabelGone')],
    ['no labels at all', present(withoutLabels()), {}, withdraw('TenantLabelGone')],
    ['a tenant annotation is no label', present({ ...withoutLabels(), endpoints: [] }), {}, withdraw('TenantLabelGone')],
    ['an empty slice that is going', present(sourceSlice(going, { endpoints: [] })), {}, withdraw('SourceDeleting')],
  ],
  '6: the source is empty': [
    ['no endpoints', empty, { occupant: 'ours' }, keep('EmptySource')],
    ['null endpoints', present(sourceSlice({}, { endpoints: null })), {}, keep('EmptySource')],
    ['unset endpoints', present(sourceSlice({}, { endpoints: undefined })), {}, keep('EmptySource')],
    ['empty and unrouted', empty, { cellNamespace: unlabelled }, keep('EmptySource')],
    ['empty under a taken name', empty, { occupant: 'foreign' }, keep('EmptySource')],
  ],
  '7: the routing is not resolved': [
    ['labels missing in the cell', live, { cellNamespace: unlabelled }, report('RoutingUnresolved')],
    ['no namespace in the cell', live, { cellNamespace: none }, report('RoutingUnresolved')],
    ['the hub says otherwise', live, { hubNamespace: unlabelled }, report('RoutingMismatch')],
    ['the namespaces of the cell unread', live, { cellNamespace: unread }, keep('NamespaceUnread')],
    ['the namespaces of the hub unread', live, { hubNamespace: unread }, keep('NamespaceUnread')],
    ['absent, labels missing in the cell', absent('strong'), { cellNamespace: unlabelled }, report('RoutingUnresolved')],
    ['absent, the hub says otherwise', absent('strong'), { hubNamespace: unlabelled }, report('RoutingMismatch')],
    ['absent, the namespaces unread', absent('strong'), { cellNamespace: unread }, keep('NamespaceUnread')],
    ['going, labels missing in the cell', deleting, { cellNamespace: unlabelled }, report('RoutingUnresolved')],
    ['mismatched under a taken name', live, { hubNamespace: unlabelled, occupant: 'foreign' }, report('RoutingMismatch')],
  ],
  '8: the name on the hub is not ours': [
    ['a foreign object', live, { occupant: 'foreign' }, { kind: 'refuse', reason: 'NameTaken' }],
    [
      'a foreign object, the namespace going',
      live,
      { occupant: 'foreign', hubNamespace: terminating },
      { kind: 'refuse', reason: 'NameTaken' },
    ],
    ['not read yet', live, { occupant: 'unknown' }, keep('HubUnread')],
  ],
  "9: the hub's namespace is not there": [
    ['missing', live, { hubNamespace: none }, { kind: 'wait', reason: 'HubNamespaceMissing' }],
    ['terminating', live, { hubNamespace: terminating }, { kind: 'wait', reason: 'HubNamespaceTerminating' }],
  ],
  '10: nothing is in the way': [
    ['nothing under the name', live, {}, copy],
    ['our copy under the name', live, { occupant: 'ours' }, copy],
    ["the cell's namespace going", live, { cellNamespace: terminating }, copy],
  ],
};

function withoutLabels(): EndpointSlice {
  const { labels: _labels, ...metadata } = sourceSlice().metadata;
  return { ...sourceSlice(), metadata };
}

for (const [row, cases] of Object.entries(TABLE)) {
  describe(`what becomes of a slice, row ${row}`, () => {
    for (const [name, slice, around, expected] of cases) {
      it(name, () => assert.deepEqual(decideSlice(slice, { ...SETTLED, ...around }), expected));
    }
  });
}
