import { cpSync, existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { TerminalError } from '#kube/errors.ts';
import { runGo } from '#planes/go-command.ts';
import { readGoModule } from '#planes/go-module.ts';

const FOLDER = 'karmada-manifests';
const WEBHOOKS = 'webhook-configuration.yaml';

/**
 * Copies Karmada's CRDs and webhook configuration out of its Go module into the cache, so that later starts need no Go, and returns where.
 * They are never committed here: they belong to the version that is built.
 * @throws {TerminalError} `NoManifests` when they are neither in the cache nor to be had through Go.
 */
export async function ensureKarmadaManifests(request: { cacheFolder: string; signal?: AbortSignal | undefined }): Promise<string> {
  const module = readGoModule('karmada');
  const folder = join(request.cacheFolder, module.key, FOLDER);
  if (existsSync(folder)) return folder;
  const source = await moduleFolder(request.signal);
  mkdirSync(join(request.cacheFolder, module.key), { recursive: true });
  const partial = mkdtempSync(`${folder}-`);
  for (const file of globSync('charts/karmada/_crds/bases/**/*.yaml', { cwd: source }))
    cpSync(join(source, file), join(partial, 'crds', basename(file)));
  cpSync(join(source, 'artifacts/deploy', WEBHOOKS), join(partial, WEBHOOKS));
  moveInPlace(partial, folder);
  return folder;
}

/** The YAML of each of Karmada's CRDs. */
export function readKarmadaCrds(folder: string): string[] {
  return globSync('crds/*.yaml', { cwd: folder })
    .sort()
    .map((file) => readFileSync(join(folder, file), 'utf8'));
}

/** The YAML of the webhook configurations, made to point at a webhook on this machine. */
export function readWebhookConfigurations(folder: string, { port, caBundle }: { port: number; caBundle: string }): string {
  const text = readFileSync(join(folder, WEBHOOKS), 'utf8');
  return text.replaceAll('karmada-webhook.karmada-system.svc:443', `127.0.0.1:${port}`).replaceAll('{{caBundle}}', caBundle);
}

/** `go mod download` fetches the module where it is not there yet, and says where it is in either case. */
async function moduleFolder(signal: AbortSignal | undefined): Promise<string> {
  const module = readGoModule('karmada');
  try {
    const answer: unknown = JSON.parse(await runGo(module, ['mod', 'download', '-json', module.path], { signal }));
    if (typeof answer === 'object' && answer !== null && 'Dir' in answer && typeof answer.Dir === 'string') return answer.Dir;
    throw new TerminalError('NoManifests', 'Go did not say where the module lies');
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new TerminalError('NoManifests', `Cannot get Karmada's CRDs of ${module.version} from its Go module: ${why}`, error);
  }
}

/** Two runs may copy at once; the first to be whole wins. */
function moveInPlace(partial: string, folder: string): void {
  try {
    renameSync(partial, folder);
  } catch (error) {
    rmSync(partial, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
}
