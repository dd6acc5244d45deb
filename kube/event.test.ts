import assert from 'node:assert/strict';
import { CELL_REPORTS, ENDPOINT_SLICES } from '#api/resources.ts';
import { createEvent } from '#kube/create-event.ts';
import { isApiError } from '#kube/errors.ts';
import { eventObject, type Occasion } from '#kube/event.ts';
import { scriptedClient } from '#kube/testing/scripted-client.ts';
import { status } from '#kube/testing/scripted-transport.ts';

const NOW = Date.UTC(2030, 0, 1);
const OPTIONS = { fieldManager: 'test', signal: new AbortController().signal };
const occasion: Occasion = {
  name: 'a.reason',
  type: 'Warning',
  reason: 'Reason',
  action: 'Act',
  note: 'Something happened',
  controller: 'fedhub/test',
  regarding: { resource: CELL_REPORTS, name: 'a' },
};

describe('an Event', () => {
  it('lies in the namespace of what it regards, and in "default" where that has none', () => {
    assert.equal(eventObject(occasion, NOW).metadata.namespace, 'default');
    const slice = { resource: ENDPOINT_SLICES, namespace: 'ns', name: 'a' };
    assert.equal(eventObject({ ...occasion, regarding: slice }, NOW).metadata.namespace, 'ns');
  });

  it('has a time with six digits and a note that an API server takes', () => {
    const event = eventObject({ ...occasion, note: 'x'.repeat(2_000) }, NOW);
    assert.equal(event['eventTime'], '2030-01-01T00:00:00.000000Z');
    assert.equal(String(event['note']).length, 1_024);
  });

  it("that is there already is as good as made, and a refusal is the caller's to hear", async () => {
    const event = eventObject(occasion, NOW);
    await createEvent(scriptedClient(status(409, 'AlreadyExists')), event, OPTIONS);
    await assert.rejects(createEvent(scriptedClient(status(403, 'Forbidden')), event, OPTIONS), (error) => isApiError(error, 'Forbidden'));
  });
});
