import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plane } from '#planes/plane.ts';

/** Copies a running plane's store as a crash at this moment would leave it, in place of an earlier copy. @returns the copy's folder. */
export async function backUpStore(plane: Plane): Promise<string> {
  const folder = join(plane.folder, 'backup');
  await rm(folder, { recursive: true, force: true });
  plane.pause();
  try {
    await cp(plane.storeFolder, folder, { recursive: true });
  } finally {
    plane.resume();
  }
  return folder;
}

/** Stops a plane and puts a copy in the place of its store: what was written since then never was. It is for the caller to start it again. */
export async function restoreStore(plane: Plane, backup: string): Promise<void> {
  await plane.stop();
  await rm(plane.storeFolder, { recursive: true });
  await cp(backup, plane.storeFolder, { recursive: true });
}
