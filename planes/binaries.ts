import { accessSync, constants, mkdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { TerminalError } from '#kube/errors.ts';
import { buildPrograms } from '#planes/build.ts';
import { readGoModule } from '#planes/go-module.ts';
import { ensureKarmadaManifests } from '#planes/karmada-manifests.ts';
import { BUILD_ORDER, PROGRAMS } from '#planes/programs.ts';
import type { Program } from '#planes/programs.ts';
import { readToolSettings } from '#planes/settings.ts';
import type { ToolSettings } from '#planes/settings.ts';

/** Where the programs of the planes lie. */
export type Binaries = {
  /** The program's file. @throws {TerminalError} `NoBinary` when it was not asked for. */
  path(program: Program): string;
  /** Folder of Karmada's CRDs and webhook configuration; present when a program of Karmada was asked for. */
  karmadaManifests: string | undefined;
};

/** How to look for programs. */
export type BinaryOptions = {
  /** Told, in plain sentences, what is being built, how far it is and how long it still takes. */
  log?: ((line: string) => void) | undefined;
  signal?: AbortSignal | undefined;
  settings?: ToolSettings;
};

/**
 * Finds each program in `KUBEBUILDER_ASSETS`, else in the cache, else builds it from its public Go module into the cache.
 * The first build of everything takes about ten minutes on two cores, later calls milliseconds.
 * @throws {TerminalError} `NoBinary` when a program is neither there nor can be built: says what it is for and what else would help.
 */
export async function ensureBinaries(programs: readonly Program[], options: BinaryOptions = {}): Promise<Binaries> {
  const settings = options.settings ?? readToolSettings();
  const { log = () => {}, signal } = options;
  mkdirSync(settings.cacheFolder, { recursive: true });
  const wanted = BUILD_ORDER.filter((program) => programs.includes(program));
  if (wanted.some((program) => findProgram(program, settings) === undefined)) {
    const find = () => wanted.filter((program) => findProgram(program, settings) === undefined);
    await buildPrograms({ find, fileOf: (program) => cachedFile(program, settings), cacheFolder: settings.cacheFolder, log, signal });
  }
  const ofKarmada = wanted.some((program) => PROGRAMS[program].family === 'karmada');
  const karmadaManifests = ofKarmada ? await ensureKarmadaManifests({ cacheFolder: settings.cacheFolder, signal }) : undefined;
  const found = new Map(wanted.map((program) => [program, requireProgram(program, settings)]));
  return { karmadaManifests, path: (program) => found.get(program) ?? notAskedFor(program) };
}

/** Where a program of the pinned version lies in the cache once it is built. */
export function cachedFile(program: Program, { cacheFolder }: ToolSettings): string {
  return join(cacheFolder, readGoModule(PROGRAMS[program].family).key, program);
}

function findProgram(program: Program, settings: ToolSettings): string | undefined {
  const ready = (settings.assets ?? '')
    .split(delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, program));
  return [...ready, cachedFile(program, settings)].find(isExecutable);
}

function requireProgram(program: Program, settings: ToolSettings): string {
  const file = findProgram(program, settings);
  if (file === undefined)
    throw new TerminalError('NoBinary', `Cannot find "${program}" although it has been built: was the cache emptied?`);
  return file;
}

function notAskedFor(program: Program): never {
  throw new TerminalError('NoBinary', `Cannot use "${program}": it was not among the programs asked for (${PROGRAMS[program].purpose})`);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
