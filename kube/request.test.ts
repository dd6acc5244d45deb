import assert from 'node:assert/strict';
import { ENDPOINT_SLICES, SERVING_LOCATIONS } from '#api/resources.ts';
import { ApiError } from '#kube/errors.ts';
import type { ApiErrorCode } from '#kube/errors.ts';
import { getObject } from '#kube/get.ts';
import { settle } from '#kube/testing/manual-clock.ts';
import { scriptedClient } from '#kube/testing/scripted-client.ts';
import { broken, fails, hang, json, status, text } from '#kube/testing/scripted-transport.ts';
import type { Answer } from '#kube/testing/scripted-transport.ts';

const signal = new AbortController().signal;
const ref = { resource: ENDPOINT_SLICES, namespace: 'ns', name: 'a' };
const slice = { apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice', metadata: { name: 'a', namespace: 'ns' } };

async function failureOf(answer: Answer): Promise<ApiError> {
  const error: unknown = await getObject(scriptedClient(answer), ref, { signal }).catch((thrown: unknown) => thrown);
  assert.ok(error instanceof ApiError, String(error));
  return error;
}

async function assertCodes(answers: [Answer, ApiErrorCode][]): Promise<void> {
  for (const [answer, code] of answers) assert.equal((await failureOf(answer)).code, code);
}

describe('a request', () => {
  it('fails with a code for what the server said', async () => {
    await assertCodes([
      [status(400, 'BadRequest'), 'Invalid'],
      [status(401, 'Unauthorized'), 'Unauthorized'],
      [status(403, 'Forbidden'), 'Forbidden'],
      [status(409, 'AlreadyExists'), 'AlreadyExists'],
      [status(409, 'Conflict'), 'Conflict'],
      [status(410, 'Expired'), 'Expired'],
      [status(415, 'UnsupportedMediaType'), 'Invalid'],
      [status(422, 'Invalid'), 'Invalid'],
      [status(429, 'TooManyRequests'), 'TooManyRequests'],
      [status(500, 'InternalError'), 'ServerError'],
      [status(504, 'Timeout'), 'ServerError'],
      [text('<html>upstream</html>', 502), 'ServerError'],
    ]);
  });

  it('takes a 404 for absence only when the API of that kind says so about that name', async () => {
    const details = { name: 'a', group: 'discovery.k8s.io', kind: 'endpointslices' };
    await assertCodes([
      [status(404, 'NotFound', { details }), 'NotFound'],
      [status(404, 'NotFound', { details: { ...details, name: 'b' } }), 'NotServed'],
      [status(404, 'NotFound', { details: { ...details, kind: 'namespaces' } }), 'NotServed'],
      [status(404, 'NotFound', { details: {} }), 'NotServed'],
      [status(404, '', { details }), 'NotServed'],
      [text('404 page not found\n', 404), 'NotServed'],
      [json({ message: 'no such route' }, 404), 'NotServed'],
    ]);
  });

  it('takes nothing for an answer that is no whole JSON document about that object', async () => {
    const cut = new ApiError('Unreachable', 'connection lost');
    await assertCodes([
      [text('<html>please sign in</html>'), 'Malformed'],
      [text('{"kind":"EndpointSli'), 'Malformed'],
      [text(''), 'Malformed'],
      [text('', 302), 'Malformed'],
      [broken('{"kind":"Endpoint', cut), 'Malformed'],
      [json(null), 'Malformed'],
      [json([slice]), 'Malformed'],
      [json({ ...slice, metadata: { name: 'b', namespace: 'ns' } }), 'Malformed'],
      [json({ ...slice, metadata: { name: 'a', namespace: 'other' } }), 'Malformed'],
      [json({ ...slice, kind: 'Endpoints' }), 'Malformed'],
    ]);
  });

  it('says whether an answer was no JSON or about something else', async () => {
    assert.match((await failureOf(text('<html></html>'))).message, /: answer is not JSON$/);
    assert.match((await failureOf(json({ ...slice, kind: 'Endpoints' }))).message, /: answer is another object$/);
  });

  it('passes on what the transport found, with the object named', async () => {
    const error = await failureOf(fails(new ApiError('Unreachable', 'connection refused')));
    assert.equal(error.code, 'Unreachable');
    assert.equal(error.message, 'Cannot get EndpointSlice "ns/a" on cell-1: connection refused');
  });

  it('says what failed on what, and nothing that the server sent', async () => {
    const forbidden = await failureOf(status(403, 'Forbidden', { details: { name: 'a' } }));
    assert.equal(forbidden.message, 'Cannot get EndpointSlice "ns/a" on cell-1: forbidden');
    const missing = getObject(scriptedClient(text('', 404)), { resource: SERVING_LOCATIONS, name: 'x' }, { signal });
    await assert.rejects(missing, { message: 'Cannot get ServingLocation "x" on cell-1: kind not served' });
  });

  it('names the fields of a refusal, not their values', async () => {
    const causes = [{ reason: 'FieldValueInvalid', message: 'Invalid value: "secret"', field: 'spec.mtu' }];
    const error = await failureOf(status(422, 'Invalid', { details: { causes } }));
    assert.equal(error.message, 'Cannot get EndpointSlice "ns/a" on cell-1: rejected: spec.mtu');
  });

  it('is given up when its deadline passes, even by a transport that does not listen', async () => {
    const client = scriptedClient(() => new Promise(() => {}));
    const getting = assert.rejects(getObject(client, ref, { signal, deadlineMs: 2_000 }), { code: 'Timeout' });
    await client.clock.advance(2_000);
    await getting;
  });

  it('does not count the wait for its turn as time without an answer', async () => {
    const client = scriptedClient(json(slice));
    client.gate.holdFor(60_000);
    const getting = getObject(client, ref, { signal, deadlineMs: 2_000 });
    await client.clock.advance(60_000);
    assert.equal((await getting).metadata.name, 'a');
  });

  it('rejects with the reason of the caller who gives up', async () => {
    const client = scriptedClient(hang);
    const stop = new AbortController();
    const getting = getObject(client, ref, { signal: stop.signal });
    await settle();
    stop.abort(new Error('shutting down'));
    await assert.rejects(getting, { message: 'shutting down' });
    assert.equal(client.transport.requests[0]?.signal.aborted, true);
  });

  it('that gets a 429 holds back the next one for as long as the server asked', async () => {
    const client = scriptedClient(status(429, 'TooManyRequests', { headers: { 'retry-after': '5' } }), json(slice));
    await assert.rejects(getObject(client, ref, { signal }), { code: 'TooManyRequests', retryAfterMs: 5_000 });
    const next = getObject(client, ref, { signal });
    await client.clock.advance(4_999);
    assert.equal(client.transport.requests.length, 1);
    await client.clock.advance(1);
    assert.equal((await next).metadata.name, 'a');
  });
});
