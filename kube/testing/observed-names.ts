import type { KubeObject } from '#api/objects.ts';
import type { Resource } from '#api/resources.ts';
import type { Client } from '#kube/client.ts';
import { Reflector } from '#kube/reflector.ts';
import { recordingLog } from '#kube/testing/scripted-client.ts';

/** A collection as somebody holds it who believes everything that a reflector tells. */
export type ObservedNames = {
  /** Name and version of everything that is there, as far as was told. */
  names: Map<string, string>;
  /** Lists begun and lists completed. */
  begun: { epoch: number; wentBack: boolean }[];
  completed: number;
  failures: unknown[];
  reflector: Reflector<KubeObject>;
  stop(): Promise<void>;
};

/** Observes a collection until `stop`. */
export function observeNames(
  client: Client,
  scope: { resource: Resource; namespace: string; idleMs?: number; initialListTimeoutMs?: number },
): ObservedNames {
  const stopping = new AbortController();
  let listed: Set<string> | undefined;
  const handler = {
    listStarted(list: { epoch: number; wentBack: boolean }) {
      observed.begun.push(list);
      listed = new Set();
    },
    present({ metadata }: KubeObject) {
      observed.names.set(metadata.name, metadata.resourceVersion ?? '');
      listed?.add(metadata.name);
    },
    deleted({ metadata }: KubeObject) {
      observed.names.delete(metadata.name);
      listed?.delete(metadata.name);
    },
    listCompleted() {
      for (const name of observed.names.keys()) if (listed?.has(name) === false) observed.names.delete(name);
      listed = undefined;
      observed.completed += 1;
    },
    failed: (error: unknown) => void observed.failures.push(error),
  };
  const reflector = new Reflector({ client, ...scope, handler, log: recordingLog() });
  const running = reflector.run(stopping.signal);
  const observed: ObservedNames = {
    names: new Map(),
    begun: [],
    completed: 0,
    failures: [],
    reflector,
    async stop() {
      stopping.abort();
      await running;
    },
  };
  return observed;
}
