import { setTimeout as sleep } from 'node:timers/promises';

/** Waits until the condition holds, looking often. @throws {Error} with `what` after 60 s. */
export async function until(what: string, holds: () => boolean): Promise<void> {
  for (const giveUpMs = performance.now() + GIVE_UP_MS; !holds(); ) {
    if (performance.now() > giveUpMs) throw new Error(`Not within ${GIVE_UP_MS} ms: ${what}`);
    await sleep(LOOK_MS);
  }
}

/** Long enough for a server to start on a busy machine, and for the longest backoff after that. */
const GIVE_UP_MS = 60_000;
const LOOK_MS = 20;
