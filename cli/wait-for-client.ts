import type { Client } from '#kube/client.ts';
import type { Clock } from '#kube/clock.ts';
import type { Log } from '#kube/log.ts';
import { retry } from '#kube/retry.ts';

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
export async function waitForClient({ open, file, onWait, ...pace }: WaitOptions, signal: AbortSignal): Promise<Client | undefined> {
  const openOrTell = async () => {
    try {
      return await open();
    } catch (error) {
      onWait(`the kubeconfig ${file} to be usable`);
      throw error;
    }
  };
  return retry('Cannot use the kubeconfig, trying again', openOrTell, { ...pace, signal, fields: { file }, backoff: BACKOFF });
}
