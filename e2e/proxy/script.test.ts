import assert from 'node:assert/strict';
import type { SeenRequest } from '#e2e/proxy/fault.ts';
import { FaultScript } from '#e2e/proxy/script.ts';

const RESET = { kind: 'reset' } as const;
const HANG = { kind: 'hang' } as const;

describe('a fault script', () => {
  it('leaves alone what no rule matches', () => {
    const script = new FaultScript();
    script.request({ method: 'DELETE' }, RESET);
    assert.equal(script.onRequest(request()), undefined);
  });

  it('strikes by method, path, query, and whether it is a watch', () => {
    const matching = request({ path: '/api/v1/namespaces', query: 'watch=1&sendInitialEvents=true', watch: true });
    const script = new FaultScript();
    script.request({ method: 'GET', path: /namespaces$/, watch: true, query: { sendInitialEvents: 'true' } }, RESET);
    assert.equal(script.onRequest(matching), RESET);
    assert.equal(script.onRequest({ ...matching, watch: false }), undefined);
    assert.equal(script.onRequest({ ...matching, path: '/api/v1/pods' }), undefined);
    assert.equal(script.onRequest({ ...matching, query: new URLSearchParams('watch=1') }), undefined);
  });

  it('spends a rule after the given number of strikes, and then comes to the next one', () => {
    const script = new FaultScript();
    const reset = script.request({}, RESET, { times: 2 });
    script.request({}, HANG, { times: 1 });
    const struck = [1, 2, 3, 4].map(() => script.onRequest(request())?.kind);
    assert.deepEqual(struck, ['reset', 'reset', 'hang', undefined]);
    assert.equal(reset.strikes, 2);
  });

  it('lets pass what a rule does not want to strike, and spends nothing on it', () => {
    const script = new FaultScript();
    const answers = [false, true, false, true];
    script.request({ method: 'GET' }, RESET, { times: 2, when: () => answers.shift() === true });
    const struck = [1, 2, 3, 4, 5].map(() => script.onRequest(request())?.kind);
    assert.deepEqual(struck, [undefined, 'reset', undefined, 'reset', undefined]);
  });

  it('lifts one rule without the others', () => {
    const script = new FaultScript();
    const reset = script.request({}, RESET);
    script.request({}, HANG);
    reset.lift();
    assert.equal(script.onRequest(request()), HANG);
    assert.equal(reset.strikes, 0);
  });

  it('tells events apart by type and name', () => {
    const script = new FaultScript();
    script.event({ type: 'DELETED', name: 'a' }, 'drop', { times: 1 });
    const event = (type: string, name: string) => script.onEvent(request(), { type, object: { metadata: { name } } });
    assert.deepEqual(
      [event('DELETED', 'b'), event('ADDED', 'a'), event('DELETED', 'a'), event('DELETED', 'a')],
      [undefined, undefined, 'drop', undefined],
    );
  });

  it('tells the bookmark that ends a streamed list from others', () => {
    const script = new FaultScript();
    script.event({ type: 'BOOKMARK', endOfList: true }, 'drop');
    const bookmark = (annotations: Record<string, string>) =>
      script.onEvent(request(), { type: 'BOOKMARK', object: { metadata: { annotations } } });
    assert.equal(bookmark({}), undefined);
    assert.equal(bookmark({ 'k8s.io/initial-events-end': 'true' }), 'drop');
  });
});

function request({ path = '/x', query = '', watch = false } = {}): SeenRequest {
  return { method: 'GET', path, query: new URLSearchParams(query), watch };
}
