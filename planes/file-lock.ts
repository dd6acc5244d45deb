import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { formatIdentity, isAlive, ownIdentity, parseIdentity } from '#planes/process-identity.ts';
import type { ProcessIdentity } from '#planes/process-identity.ts';

/** How often a held lock is looked at again. Longer only delays the second of two builds. */
const POLL_MS = 500;

/** Who waits for the lock, and what it is told. */
export type LockOptions = {
  signal?: AbortSignal | undefined;
  /** Called once for each other holder that is waited for. */
  onWait?: (holder: ProcessIdentity | undefined) => void;
};

/**
 * Runs `work` while no other live process runs its own under the same file.
 * The lock saves double work, nothing depends on it for correctness: what it guards is put in place by a rename.
 * A lock whose holder is gone is taken over.
 */
export async function withLock<T>(file: string, work: () => Promise<T>, options: LockOptions = {}): Promise<T> {
  let told: number | undefined;
  while (!tryLock(file)) {
    const holder = readHolder(file);
    if (holder !== undefined && !isAlive(holder)) removeStale(file);
    else {
      if (told !== holder?.pid) options.onWait?.(holder);
      told = holder?.pid;
      await sleep(POLL_MS, undefined, { signal: options.signal });
    }
  }
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}

/** A hard link appears with its content in one step, so nobody reads a lock that does not say yet who holds it. */
function tryLock(file: string): boolean {
  const own = `${file}.${process.pid}`;
  writeFileSync(own, formatIdentity(ownIdentity()));
  try {
    linkSync(own, file);
    return true;
  } catch (error) {
    if (isFileError(error, 'EEXIST')) return false;
    throw error;
  } finally {
    rmSync(own, { force: true });
  }
}

function readHolder(file: string): ProcessIdentity | undefined {
  try {
    return parseIdentity(readFileSync(file, 'utf8'));
  } catch (error) {
    if (isFileError(error, 'ENOENT')) return undefined;
    throw error;
  }
}

function removeStale(file: string): void {
  const aside = `${file}.${process.pid}.stale`;
  try {
    renameSync(file, aside);
  } catch (error) {
    if (!isFileError(error, 'ENOENT')) throw error; // another one was quicker
  }
  rmSync(aside, { force: true });
}

function isFileError(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
