import assert from 'node:assert/strict';
import { ENDPOINT_SLICES } from '#api/resources.ts';
import { isApiError } from '#kube/errors.ts';
import { recordingLog, scriptedClient } from '#kube/testing/scripted-client.ts';
import { type Answer, json, status } from '#kube/testing/scripted-transport.ts';
import { applyCopy } from '#mirror/apply-copy.ts';

const META = { name: 'a', namespace: 'ns', uid: 'u1', resourceVersion: '1' };
const COPY = { apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice', metadata: { name: 'a', namespace: 'ns' }, known: 1, unknown: 2 };
const KEPT = { ...COPY, metadata: META, unknown: undefined };

/** Applies the copy to a hub that answers so. */
async function apply(...answers: Answer[]) {
  const hub = scriptedClient(...answers);
  const log = recordingLog();
  const rules = { copy: ENDPOINT_SLICES, fieldManager: 'fedhub-test' };
  const options = { force: true, signal: new AbortController().signal, priority: 'live' } as const;
  const result = await applyCopy({ hub, rules, log }, COPY, options).catch((error: unknown) => error);
  const sent = hub.transport.requests.map(({ method, body }) => [method, JSON.parse(body ?? '').unknown]);
  return { result, sent, log };
}

describe('applying a copy', () => {
  it('takes one request where the hub knows every field', async () => {
    const { result, sent } = await apply(json({ ...COPY, metadata: META }));
    assert.deepEqual(sent, [['PATCH', 2]]);
    assert.deepEqual(result, { object: { ...COPY, metadata: META }, created: false });
  });

  it('applies what the hub knows where it does not know every field, and says so', async () => {
    const { sent, log } = await apply(status(500, ''), json(KEPT, 201), json(KEPT, 201));
    assert.deepEqual(sent, [
      ['PATCH', 2],
      ['POST', 2],
      ['PATCH', undefined],
    ]);
    assert.deepEqual(
      log.lines.map(({ reason }) => reason),
      ['FieldsUnknown'],
    );
  });

  it('fails as the hub said where unknown fields are not the reason', async () => {
    for (const second of [json({ ...COPY, metadata: META }, 201), status(403, 'Forbidden'), status(500, '')]) {
      const { result, sent } = await apply(status(500, ''), second);
      assert.ok(isApiError(result, 'ServerError') && result.status === 500);
      assert.equal(sent.length, 2);
    }
  });

  it('asks no more of a hub that is away, or that refuses', async () => {
    for (const [code, reason] of [
      [503, 'ServiceUnavailable'],
      [409, 'Conflict'],
      [422, 'Invalid'],
    ] as const) {
      assert.equal((await apply(status(code, reason))).sent.length, 1);
    }
  });
});
