import { setTimeout as sleep } from 'node:timers/promises';
import { TerminalError } from '#kube/errors.ts';

/** What is waited for, in words that complete "Waited 60 s for …", and what helps to see why it does not come. */
export type Wait = { what: string; timeoutMs?: number; signal?: AbortSignal | undefined; more?: () => string };

const POLL_MS = 50;
/** Ten times what the slowest program needs on an idle machine with two cores. */
const TIMEOUT_MS = 60_000;

/**
 * Asks again and again until the answer is yes.
 * @throws {TerminalError} `NotReady` after the timeout; whatever `check` throws at once.
 */
export async function waitUntil(
  check: () => Promise<boolean> | boolean,
  { what, timeoutMs = TIMEOUT_MS, signal, more = () => '' }: Wait,
): Promise<void> {
  const startedMs = performance.now();
  while (!(await check())) {
    if (performance.now() - startedMs > timeoutMs) {
      throw new TerminalError('NotReady', `Waited ${Math.round(timeoutMs / 1000)} s for ${what}\n${more()}`.trimEnd());
    }
    await sleep(POLL_MS, undefined, { signal });
  }
}
