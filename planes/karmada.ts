import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { TerminalError } from '#kube/errors.ts';
import { serveClustersAggregated, serveClustersPlainly } from '#planes/cluster-api.ts';
import { karmadaControllerFlags, schedulerFlags, webhookFlags } from '#planes/karmada-flags.ts';
import { readKarmadaCrds, readWebhookConfigurations } from '#planes/karmada-manifests.ts';
import { applyAll, parseManifests } from '#planes/manifests.ts';
import type { Plane } from '#planes/plane.ts';
import type { PlaneContext } from '#planes/start-plane.ts';
import { probe } from '#planes/probe.ts';
import type { Program } from '#planes/programs.ts';

/** Where Karmada is started from. */
export type KarmadaRequest = { context: PlaneContext; aggregated: boolean };

/**
 * Makes a hub serve every kind of Karmada's. Garbage collection must start after this:
 * it learns of new kinds only every 30 s, and until then no copy is withdrawn from any member.
 */
export async function prepareKarmada(hub: Plane, { context, aggregated }: KarmadaRequest): Promise<void> {
  await applyAll(hub, ['karmada-system', 'karmada-cluster'].map(namespace));
  const crds = applyAll(hub, readKarmadaCrds(manifestsOf(context)).flatMap(parseManifests));
  await Promise.all([crds, aggregated ? serveClustersAggregated(hub, context) : serveClustersPlainly(hub)]);
}

/**
 * Starts Karmada on a prepared hub: the webhook, then controller manager and scheduler.
 * The webhook is not optional: without it objects get no ids and the scheduler passes their bindings over.
 * @throws {TerminalError} `ProgramDied` or `NotReady`, with the last log lines.
 */
export async function startKarmada(hub: Plane, context: PlaneContext): Promise<void> {
  const port = await startWebhook(hub, context);
  await applyAll(hub, parseManifests(readWebhookConfigurations(manifestsOf(context), { port, caBundle: hub.files.caBundle })));
  await Promise.all([
    addServing(hub, { context, program: 'karmada-controller-manager', flags: karmadaControllerFlags }),
    addServing(hub, { context, program: 'karmada-scheduler', flags: schedulerFlags }),
  ]);
}

function manifestsOf({ binaries }: PlaneContext): string {
  if (binaries.karmadaManifests !== undefined) return binaries.karmadaManifests;
  throw new TerminalError('NoManifests', 'Cannot start Karmada: its programs were not asked for, so neither were its CRDs');
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
