import { once } from 'node:events';
import type { Service } from '#e2e/service.ts';

/** Flags of Node with which `collectGarbage` can reach a service: the inspector, on a port of the machine's choice. */
export const INSPECTED: readonly string[] = ['--inspect=127.0.0.1:0'];

/** Has a service collect its garbage, so that what it uses afterwards is what it needs. @throws {Error} where it is not inspected. */
export async function collectGarbage(service: Service): Promise<void> {
  const address = service.logs().map(({ msg }) => /ws:\/\/\S+/.exec(msg ?? '')?.[0]);
  const inspector = new WebSocket(address.find((url) => url !== undefined) ?? fail());
  await once(inspector, 'open');
  // Twice: what the first round has let go of may have held something else.
  for (const id of [1, 2]) await collect(inspector, id);
  inspector.close();
}

async function collect(inspector: WebSocket, id: number): Promise<void> {
  const answered = once(inspector, 'message');
  inspector.send(JSON.stringify({ id, method: 'HeapProfiler.collectGarbage' }));
  await answered;
}

function fail(): never {
  throw new Error('The service is not inspected');
}
