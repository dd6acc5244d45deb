import type { Client } from '#kube/client.ts';
import { systemClock } from '#kube/clock.ts';
import type { Clock } from '#kube/clock.ts';
import { Connection } from '#kube/connection.ts';
import type { Environment } from '#kube/exec-credential.ts';
import { Gate } from '#kube/gate.ts';
import { readKubeconfig } from '#kube/kubeconfig.ts';
import type { Log } from '#kube/log.ts';
import { UndiciTransport } from '#kube/undici-transport.ts';

/** How to reach one API server. */
export type OpenClientOptions = {
  /** The name in logs, errors and metrics. */
  cluster: string;
  /** Path of a kubeconfig file; read again as it changes. */
  kubeconfig: string;
  /** Default: the file's current context. */
  context?: string | undefined;
  log: Log;
  clock?: Clock;
  random?: () => number;
  /** Requests under way at once, watches not counted. Default 32: more made an API server no faster. */
  concurrency?: number;
  /** What a credential program of the kubeconfig gets as its environment; default none. */
  environment?: Environment;
};

/**
 * A client for one API server, which need not be there yet: nothing is sent. Close its transport in the end.
 * @throws {TerminalError} `Kubeconfig` when the kubeconfig cannot be read.
 */
export async function openClient(options: OpenClientOptions): Promise<Client> {
  const { cluster, kubeconfig, context, clock = systemClock, random = Math.random, concurrency = 32, environment = {} } = options;
  await readKubeconfig(kubeconfig, context);
  const log = options.log.child({ cluster });
  const connection = new Connection({ kubeconfig, context, environment, connections: concurrency, clock, log });
  return { cluster, transport: new UndiciTransport(connection), gate: new Gate({ concurrency, clock }), clock, random };
}
