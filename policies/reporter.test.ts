import assert from 'node:assert/strict';
import { absent, present } from '#mirror/observation.ts';
import { recordingLog, scriptedClient } from '#kube/testing/scripted-client.ts';
import { type Answer, json, status } from '#kube/testing/scripted-transport.ts';
import { Reporter } from '#policies/reporter.ts';
import { reportsOf } from '#policies/reports.ts';
import { heldWith, sourceWith, viewWith } from '#policies/testing/views.ts';

const signal = new AbortController().signal;
const noCity = reportsOf(viewWith({ source: present(sourceWith({ topology: {} })), held: absent('weak') }));
const taken = reportsOf(viewWith({ held: present(heldWith({ ours: false })) }));

/** Answers as a server does that takes every Event. */
const taking: Answer = (request) => json(JSON.parse(request.body ?? ''), 201)(request);

function scene(...answers: Answer[]) {
  const hub = scriptedClient(...answers);
  const counted: string[] = [];
  const log = recordingLog();
  const reporter = new Reporter({ hub, log, count: (reason) => void counted.push(reason) });
  return { reporter, counted, log, hub };
}

describe('telling an operator', () => {
  it('happens once for a state that lasts, and again when it comes back', async () => {
    const { reporter, counted, hub } = scene(taking, taking);
    for (const reports of [noCity, noCity, [], noCity]) await reporter.note('dfw', reports, signal);
    assert.deepEqual(counted, ['MissingCityCode', 'MissingCityCode']);
    assert.equal(hub.transport.requests.length, 2);
  });

  it('is remembered for as long as the state lasts', async () => {
    const { reporter } = scene(taking);
    await reporter.note('dfw', noCity, signal);
    assert.deepEqual([reporter.has('dfw'), reporter.has('ams')], [true, false]);
    await reporter.note('dfw', [], signal);
    assert.equal(reporter.has('dfw'), false);
  });

  it('happens for each state and each location by itself', async () => {
    const { reporter, counted } = scene(taking, taking, taking);
    await reporter.note('dfw', noCity, signal);
    await reporter.note('dfw', [...noCity, ...taken], signal);
    await reporter.note('ams', noCity, signal);
    assert.deepEqual(counted, ['MissingCityCode', 'UnlabelledHubObject', 'MissingCityCode']);
  });

  it('holds nothing up where the Event is there already or cannot be written', async () => {
    const { reporter, log } = scene(status(409, 'AlreadyExists'), status(403, 'Forbidden'));
    await reporter.note('dfw', noCity, signal);
    await reporter.note('ams', noCity, signal);
    const messages = log.lines.map(({ message, location }) => `${message} ${location}`);
    assert.deepEqual(messages, ['A location needs an operator dfw', 'A location needs an operator ams', 'Cannot write an Event ams']);
  });
});
