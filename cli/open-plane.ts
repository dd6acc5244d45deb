import type { PlaneConfig } from '#cli/hub-config.ts';
import type { Client } from '#kube/client.ts';
import type { Log } from '#kube/log.ts';
import { openClient } from '#kube/open-client.ts';

/** A plane of the configuration with its name in logs and metrics, and how many requests may be under way at it. */
export type Plane = PlaneConfig & { cluster: string; concurrency: number };

/**
 * A client for the plane. Credential programs of its kubeconfig run with this process's environment, as they do under kubectl.
 * @throws {TerminalError} `Kubeconfig` when the kubeconfig cannot be read.
 */
export function openPlane({ cluster, kubeconfig, context, concurrency }: Plane, log: Log): Promise<Client> {
  return openClient({ cluster, kubeconfig, context, concurrency, log, environment: process.env });
}
