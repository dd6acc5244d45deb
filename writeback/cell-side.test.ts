import assert from 'node:assert/strict';
import { SERVING_LOCATIONS } from '#api/resources.ts';
import { resourcePath } from '#kube/paths.ts';
import { settle } from '#kube/testing/manual-clock.ts';
import { recordingLog, scriptedClient } from '#kube/testing/scripted-client.ts';
import { type Answer, hang, json, status, text } from '#kube/testing/scripted-transport.ts';
import { ScriptedWatch } from '#kube/testing/scripted-watch.ts';
import type { ApiRequest, Transport } from '#kube/transport.ts';
import { createCellSide } from '#writeback/cell-side.ts';

const LOCATIONS = resourcePath({ resource: SERVING_LOCATIONS });
const NOT_SERVED = text('404 page not found\n', 404);
const isWatch = ({ query }: ApiRequest) => query?.['watch'] === '1';

const locationsNamed = (names: string[], more: { continue?: string } = {}) =>
  json({ kind: 'ServingLocationList', metadata: { resourceVersion: '7', ...more }, items: names.map((name) => ({ metadata: { name } })) });

/** A watch that has shown these locations, and stays open. */
function watchShowing(...names: string[]): Answer {
  const watch = new ScriptedWatch();
  for (const name of names) watch.send('ADDED', { metadata: { name, resourceVersion: '5' } });
  watch.bookmark('7', { end: true });
  return watch.answer;
}

/** The side of a cell that answers lists and watches of its locations so by now, and nothing else. */
function scene() {
  const answers = { list: NOT_SERVED, watch: NOT_SERVED };
  const send = async (request: ApiRequest) => {
    if (request.path !== LOCATIONS) return hang(request);
    return isWatch(request) ? answers.watch(request) : answers.list(request);
  };
  const transport: Transport = { send, close: async () => undefined };
  const nobody = () => undefined;
  const side = createCellSide({
    cell: { ...scriptedClient(), transport },
    pace: {},
    log: recordingLog(),
    namespaceChanged: nobody,
    locationsChanged: nobody,
    wentBack: nobody,
  });
  const { signal } = new AbortController();
  const watched = async () => {
    void side.run(signal);
    await settle();
  };
  return { answers, side, watched, read: () => side.readLocations(signal) };
}

describe('the locations of a cell, read live', () => {
  it('are all that the pages of a list show, in order of their names', async () => {
    const { answers, read } = scene();
    answers.list = (request) => {
      const page = request.query?.['continue'] === undefined ? locationsNamed(['fra', 'zrh'], { continue: 'x' }) : locationsNamed(['ams']);
      return page(request);
    };
    assert.deepEqual(await read(), { kind: 'present', object: ['ams', 'fra', 'zrh'] });
  });

  it('are what the cell says now, and not what its watch has shown', async () => {
    const { answers, side, watched, read } = scene();
    answers.watch = watchShowing('ams');
    await watched();
    answers.list = locationsNamed(['fra']);
    assert.deepEqual(await read(), { kind: 'present', object: ['fra'] });
    assert.deepEqual(side.deliveredLocations(), { kind: 'present', object: ['ams'] });
    answers.list = locationsNamed([]);
    assert.deepEqual(await read(), { kind: 'present', object: [] });
  });

  it('are absent where their kind is not served and never was', async () => {
    const { side, watched, read } = scene();
    await watched();
    assert.deepEqual(side.deliveredLocations(), { kind: 'absent', evidence: 'weak' });
    assert.deepEqual(await read(), { kind: 'absent', evidence: 'weak' });
  });

  it('are what is served by now, where their kind was not served before', async () => {
    const { answers, watched, read } = scene();
    await watched();
    answers.list = locationsNamed(['ams']);
    assert.deepEqual(await read(), { kind: 'present', object: ['ams'] });
  });

  it('are not known where their kind is no longer served, or nobody knows whether it ever was', async () => {
    const { answers, watched, read } = scene();
    await assert.rejects(read(), { code: 'NotServed' });
    answers.watch = watchShowing();
    await watched();
    await assert.rejects(read(), { code: 'NotServed' });
  });

  const failures: [what: string, answer: Answer, code: string][] = [
    ['403', status(403, 'Forbidden'), 'Forbidden'],
    ['410', status(410, 'Expired'), 'Expired'],
    ['500', status(500, 'InternalError'), 'ServerError'],
    ['HTML', text('<html></html>'), 'Malformed'],
  ];
  for (const [what, answer, code] of failures) {
    it(`are not known where a page answers ${what}, though their kind was never served before`, async () => {
      const { answers, watched, read } = scene();
      await watched();
      answers.list = answer;
      await assert.rejects(read(), { name: 'ApiError', code });
      answers.list = (request) =>
        (request.query?.['continue'] === undefined ? locationsNamed(['ams'], { continue: 'x' }) : answer)(request);
      await assert.rejects(read(), { name: 'ApiError', code });
    });
  }
});
