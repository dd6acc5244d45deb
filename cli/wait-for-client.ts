import { backoffMs } from '#kube/backoff.ts';
import type { Client } from '#kube/client.ts';
import type { Clock } from '#kube/clock.ts';
import type { Log } from '#kube/log.ts';

/** Milliseconds. The cap bounds how late a file that appears is noticed; a try costs one small read. */
const BACKOFF = { baseMs: 250, capMs: 5000 };

/** What `waitForClient` needs. `onWait` is told, in words, what is waited for. */
export type WaitOptions = {
  open: () => Promise<Client>;
  file: string;
  clock: Clock;
  random: () => number;
  log: Log;
  onWait: (reason: string) => void;
};

/**
 * Opens the client, trying until it works: a kubeconfig that is missing or wrong now may be mounted or mended later.
 * Undefined when the signal aborts first. Never rejects for what `open` throws.
 */
export async function waitForClient(options: WaitOptions, signal: AbortSignal): Promise<Client | undefined> {
  const { open, file, clock, random, log, onWait } = options;
  let told: string | undefined;
  for (let attempt = 0; !signal.aborted; attempt += 1) {
    try {
      return await open();
    } catch (error) {
      const delayMs = Math.round(backoffMs(attempt, random, BACKOFF));
      const reason = error instanceof Error ? error.message : String(error);
      const level = reason === told ? 'debug' : 'warn';
      log[level]({ file, attempt, delayMs, err: error }, 'Cannot use the kubeconfig, trying again');
      told = reason;
      onWait(`the kubeconfig ${file} to be usable`);
      await clock.sleep(delayMs, signal);
    }
  }
  return undefined;
}
