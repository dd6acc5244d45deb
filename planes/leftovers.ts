import { appendFileSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { TerminalError } from '#kube/errors.ts';
import { formatIdentity, isAlive, ownIdentity, parseIdentity, startTimeOf } from '#planes/process-identity.ts';
import type { ProcessIdentity } from '#planes/process-identity.ts';

/** The first line is the runner, each further one a process that it started. Appending is one write: a kill leaves at most half a last line. */
const RECORD = 'processes';
/** How often a killed process is looked for until it is gone. */
const POLL_MS = 20;

/** Makes the folder of one run, with the record that lets a later run clean up after this one. */
export function createRunFolder(root: string = runsFolder()): string {
  const folder = mkdtempSync(join(root, `${process.pid}-`));
  appendFileSync(join(folder, RECORD), `${formatIdentity(ownIdentity())} runner\n`);
  return folder;
}

/** Adds a process to the record of a run. To be called in the same turn in which the process was started. */
export function recordProcess(folder: string, { pid, name }: { pid: number; name: string }): void {
  const startTime = startTimeOf(pid);
  if (startTime !== undefined) appendFileSync(join(folder, RECORD), `${formatIdentity({ pid, startTime })} ${name}\n`);
}

/**
 * Ends what killed runs have left running, removes their folders, and returns how many processes that were.
 * Only processes on record are touched whose start time still matches; runs whose runner lives are left alone.
 */
export async function cleanLeftovers(root: string = runsFolder()): Promise<number> {
  let ended = 0;
  for (const name of readdirSync(root)) {
    const folder = join(root, name);
    const { runner, processes } = readRecord(folder);
    if (runner === undefined ? isRunning(name) : isAlive(runner)) continue;
    const alive = processes.filter(isAlive);
    for (const { pid } of alive) killQuietly(pid);
    await Promise.all(alive.map(gone));
    rmSync(folder, { recursive: true, force: true });
    ended += alive.length;
  }
  return ended;
}

/** Where this user's runs keep their folders. @throws {TerminalError} `ForeignFolder` when somebody else made it. */
export function runsFolder(): string {
  const { uid } = userInfo();
  const folder = join(tmpdir(), `fedhub-planes-${uid}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const found = lstatSync(folder);
  if (!found.isDirectory() || found.uid !== uid)
    throw new TerminalError('ForeignFolder', `Cannot use "${folder}": it belongs to another user`);
  return folder;
}

function readRecord(folder: string): { runner: ProcessIdentity | undefined; processes: ProcessIdentity[] } {
  try {
    const [runner, ...processes] = readFileSync(join(folder, RECORD), 'utf8').split('\n').map(parseIdentity);
    return { runner, processes: processes.filter((identity) => identity !== undefined) };
  } catch {
    return { runner: undefined, processes: [] }; // removed by another run meanwhile, or not written yet
  }
}

/** A folder without a record is either just being made or was left in that moment; its name tells by whom. */
function isRunning(name: string): boolean {
  return startTimeOf(Number.parseInt(name, 10)) !== undefined;
}

function killQuietly(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It ended by itself between the look and the signal.
  }
}

async function gone(identity: ProcessIdentity): Promise<void> {
  while (isAlive(identity)) await sleep(POLL_MS);
}
