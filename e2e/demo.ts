import { declareLocations, declareNetwork, removeNetwork } from '#e2e/demo/project-story.ts';
import { tellSliceStory } from '#e2e/demo/slice-story.ts';
import { say } from '#e2e/demo/terminal.ts';
import { type Federation, startFederation } from '#e2e/federation.ts';
import { endOnceIdle } from '#planes/end-once-idle.ts';

const once = process.argv.includes('--once');
endOnceIdle();

try {
  await main();
} catch (error) {
  process.stderr.write(`\nThe demo failed: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}

/** Starts a federation and tells the story; ends everything when it was asked to, or when a step failed. */
async function main(): Promise<void> {
  const federation = await startFederation({ kubectl: true, project: true, log: say });
  try {
    await tellStory(federation);
  } catch (error) {
    await federation.environment.stop();
    throw error;
  }
  say('\nEvery step was seen.');
  if (once) return federation.environment.stop();
  invite(federation);
  await new Promise(() => setInterval(() => {}, 2 ** 30)); // the environment ends everything, and this process, on Ctrl-C
}

/** From a project's declaration to the gateways, and back to nothing. */
async function tellStory(federation: Federation): Promise<void> {
  const { project } = federation;
  if (!project) throw new Error('There is no project');
  const declared = { ...federation, project };
  await declareLocations(say, declared);
  const place = await declareNetwork(say, declared);
  await tellSliceStory(say, federation, place.hubName);
  await removeNetwork(say, declared, place);
}

/** What to try by hand. */
function invite({ environment, hub, cells: [ams], gateway, service }: Federation): void {
  const kubectl = environment.binaries.path('kubectl');
  say(`\nEverything goes on running until Ctrl-C, fedhub as its own process (health and metrics on ${service.url}). Kubeconfigs:`);
  for (const { name, adminKubeconfig } of environment.planes) say(`  ${name.padEnd(6)} ${adminKubeconfig}`);
  say('\nTry, in another terminal:');
  for (const { adminKubeconfig } of [hub, gateway]) say(`  ${kubectl} --kubeconfig ${adminKubeconfig} get endpointslices -A`);
  say(`  ${kubectl} --kubeconfig ${hub.adminKubeconfig} get clusters.cluster.karmada.io,clusterpropagationpolicies`);
  say(`  ${kubectl} --kubeconfig ${hub.adminKubeconfig} get cellreports`);
  say(`  ${kubectl} --kubeconfig ${ams.adminKubeconfig} get servinglocations,namespaces --show-labels`);
  say(`  curl -s ${service.url}/status`);
}
