import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { TerminalError } from '#kube/errors.ts';
import { serveClustersAggregated, serveClustersPlainly } from '#planes/cluster-api.ts';
import { karmadaControllerFlags, schedulerFlags, webhookFlags } from '#planes/karmada-flags.ts';
import { readKarmadaCrds, readWebhookConfigurations } from '#planes/karmada-manifests.ts';
import { applyAll, parseManifests } from '#planes/manifests.ts';
import type { Plane, PlaneContext } from '#planes/plane.ts';
import { probe } from '#planes/probe.ts';
import type { Program } from '#planes/programs.ts';

/** Where Karmada is started from, and which Cluster API it gets. */
export type KarmadaRequest = { context: PlaneContext; aggregated: boolean };

/**
 * Starts Karmada on a running hub: CRDs, Cluster API, webhook, then controller manager and scheduler. Takes about 4 s.
 * The webhook is not optional: without it objects get no ids and the scheduler passes their bindings over.
 * @throws {TerminalError} `ProgramDied` or `NotReady`, with the last log lines.
 */
export async function startKarmada(hub: Plane, { context, aggregated }: KarmadaRequest): Promise<void> {
  const manifests = context.binaries.karmadaManifests;
  if (manifests === undefined) throw new TerminalError('NoManifests', "Cannot start Karmada: its CRDs were not asked for with the programs");
  await applyAll(hub, ['karmada-system', 'karmada-cluster'].map(namespace));
  const crds = applyAll(hub, readKarmadaCrds(manifests).flatMap(parseManifests));
  const clusters = aggregated ? serveClustersAggregated(hub, context) : serveClustersPlainly(hub);
  const webhook = startWebhook(hub, context);
  const [port] = await Promise.all([webhook, crds, clusters]);
  await applyAll(hub, parseManifests(readWebhookConfigurations(manifests, { port, caBundle: hub.files.caBundle })));
  await Promise.all([
    addServing(hub, { context, program: 'karmada-controller-manager', flags: karmadaControllerFlags }),
    addServing(hub, { context, program: 'karmada-scheduler', flags: schedulerFlags }),
  ]);
}

function namespace(name: string) {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
}

/** Its own health port answers 404 whatever it does, so its readiness is that it answers at all where it serves. */
async function startWebhook(hub: Plane, { ports, binaries }: PlaneContext): Promise<number> {
  const [port, healthPort] = [await ports.next(), await ports.next()];
  const certFolder = join(hub.folder, 'webhook');
  mkdirSync(certFolder, { recursive: true });
  copyFileSync(hub.files.server.certificateFile, join(certFolder, 'tls.crt'));
  copyFileSync(hub.files.server.keyFile, join(certFolder, 'tls.key'));
  await hub.programs.add({
    program: 'karmada-webhook',
    command: binaries.path('karmada-webhook'),
    args: webhookFlags(hub.files, { port, healthPort, certFolder }),
    isReady: async () => (await probe(`https://127.0.0.1:${port}/mutate-work`)) !== 0,
  });
  return port;
}

type Serving = { context: PlaneContext; program: Program; flags: (files: Plane['files'], ports: { healthPort: number }) => string[] };

async function addServing(hub: Plane, { context, program, flags }: Serving): Promise<void> {
  const healthPort = await context.ports.next();
  await hub.programs.add({
    program,
    command: context.binaries.path(program),
    args: flags(hub.files, { healthPort }),
    isReady: async () => (await probe(`http://127.0.0.1:${healthPort}/healthz`)) === 200,
  });
}
