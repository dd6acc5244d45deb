import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { ENDPOINT_SLICES } from '#api/resources.ts';
import { systemClock } from '#kube/clock.ts';
import type { Clock } from '#kube/clock.ts';
import { openClient } from '#kube/open-client.ts';
import { Reflector } from '#kube/reflector.ts';
import { startHttpServer } from '#kube/testing/http-server.ts';
import { kubeconfigText } from '#kube/testing/kubeconfig-text.ts';
import { recordingLog } from '#kube/testing/scripted-client.ts';
import { temporaryFolder } from '#kube/testing/temporary-folder.ts';
import { until } from '#kube/testing/until.ts';

/** A clock on which no backoff takes any time. Deadlines, which are longer, stay what they are. */
const hasty: Clock = { ...systemClock, sleep: (ms, signal) => systemClock.sleep(ms > 20_000 ? ms : 0, signal) };

describe('a reflector on a server that breaks every watch', () => {
  it('has no more connections, listeners or timers after 200 times than at first', async () => {
    const server = await startHttpServer();
    const folder = temporaryFolder();
    const sockets = new Set<Socket>();
    let watches = 0;
    server.answer((request, response) => {
      sockets.add(request.socket);
      if (request.url?.includes('watch=1')) breakWatch(response, (watches += 1));
      else response.end(JSON.stringify({ kind: 'EndpointSliceList', metadata: { resourceVersion: '7' }, items: [] }));
    });
    const kubeconfig = folder.write('config', kubeconfigText({ cluster: { server: server.url } }));
    const log = recordingLog();
    const client = await openClient({ cluster: 'cell-1', kubeconfig, log, clock: hasty });
    const handler = { listStarted() {}, present() {}, deleted() {}, listCompleted() {} };
    const reflector = new Reflector({ client, resource: ENDPOINT_SLICES, handler, log });
    const stop = new AbortController();
    const running = reflector.run(stop.signal);
    await until('the watch was broken 200 times', () => watches >= 200);
    assert.ok([...sockets].filter((socket) => !socket.destroyed).length <= 3);
    assert.ok(getEventListeners(stop.signal, 'abort').length <= 4);
    assert.ok(process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length <= 10);
    stop.abort();
    await running;
    await client.transport.close();
    await server.stop();
    folder.remove();
  });
});

/** Lists nothing, and then ends the stream in good order or bad. */
function breakWatch(response: ServerResponse<IncomingMessage>, count: number): void {
  const metadata = { resourceVersion: '7', annotations: { 'k8s.io/initial-events-end': 'true' } };
  response.write(`${JSON.stringify({ type: 'BOOKMARK', object: { metadata } })}\n`, () =>
    count % 2 === 0 ? response.end() : response.destroy(),
  );
}
