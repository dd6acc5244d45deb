import type { KubeObject } from '#api/objects.ts';
import { ENDPOINT_SLICES } from '#api/resources.ts';
import type { Client } from '#kube/client.ts';
import { Reflector } from '#kube/reflector.ts';
import { recordingLog } from '#kube/testing/scripted-client.ts';

type More = { initialListTimeoutMs?: number; relistMs?: number; newestVersion?: string; faulty?: boolean };

/** A reflector on slices and what it told, as short words: `list 1`, `list 2 back`, `+a`, `-a`, `complete`, `! Code`. */
export function reflectorScene(client: Client, more: More = {}) {
  const told: string[] = [];
  const log = recordingLog();
  const stop = new AbortController();
  const handler = {
    listStarted: ({ epoch, wentBack }: { epoch: number; wentBack: boolean }) => void told.push(`list ${epoch}${wentBack ? ' back' : ''}`),
    present: ({ metadata }: KubeObject) => {
      told.push(`+${metadata.name}`);
      if (more.faulty) throw new Error('fault of the handler');
    },
    deleted: ({ metadata }: KubeObject) => void told.push(`-${metadata.name}`),
    listCompleted: () => void told.push('complete'),
    failed: (error: unknown) => void told.push(`! ${error instanceof Error && 'code' in error ? String(error.code) : 'unknown'}`),
  };
  const reflector = new Reflector({
    client,
    resource: ENDPOINT_SLICES,
    labelSelector: 'a=b',
    handler,
    log,
    initialListTimeoutMs: more.initialListTimeoutMs,
    relistMs: more.relistMs,
    newestVersion: more.newestVersion,
  });
  const running = reflector.run(stop.signal);
  return { told, log, reflector, running, stop: () => stop.abort(new Error('stopped')) };
}

/** A slice as an event carries it. */
export function sliceAt(name: string, resourceVersion: string): KubeObject {
  return { apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice', metadata: { name, namespace: 'ns', resourceVersion } };
}

/** The body of a list of slices. */
export function sliceList(resourceVersion: string, names: string[], more: { continue?: string } = {}): unknown {
  return { kind: 'EndpointSliceList', metadata: { resourceVersion, ...more }, items: names.map((name) => sliceAt(name, resourceVersion)) };
}
