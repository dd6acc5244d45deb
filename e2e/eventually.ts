import { setTimeout as sleep } from 'node:timers/promises';

/** How long to wait, and how often to look. */
export type EventuallyOptions = {
  /** Milliseconds after which the wait has failed. Generous: a slow machine must not fail a right program. */
  deadlineMs?: number;
  /** Milliseconds between two looks. By default the pauses grow from a short one. */
  intervalMs?: number;
  /** Says why waiting any longer is hopeless; undefined as long as it is not. */
  giveUp?: () => string | undefined;
};

const DEADLINE_MS = 45_000;
/** Looking costs the planes more than waiting: soon at first, then four times a second. */
const PAUSE_MS = { first: 20, longest: 250, growth: 1.4 };

/**
 * The first truthy value of a probe, which is tried until it neither throws nor answers something falsy.
 * This is the only way in which a test waits: for something observable, never for time to pass.
 *
 * @throws {Error} With the description and the last reason when the deadline passes first; a probe that hangs counts as a reason.
 */
export async function eventually<T>(
  description: string,
  probe: () => T | Promise<T>,
  { deadlineMs = DEADLINE_MS, intervalMs, giveUp = () => undefined }: EventuallyOptions = {},
): Promise<Truthy<T>> {
  const deadline = performance.now() + deadlineMs;
  let reason = 'the probe has not answered yet';
  for (let pauseMs = intervalMs ?? PAUSE_MS.first; ; pauseMs = intervalMs ?? Math.min(pauseMs * PAUSE_MS.growth, PAUSE_MS.longest)) {
    const look = await within(deadline - performance.now(), attempt(probe));
    if (look?.kind === 'seen') return look.value;
    if (look) reason = look.reason;
    const hopeless = giveUp();
    if (hopeless !== undefined) throw new Error(`Hopeless: ${description}: ${hopeless}`);
    if (performance.now() + pauseMs >= deadline) throw new Error(`Not within ${deadlineMs} ms: ${description}. Last seen: ${reason}`);
    await sleep(pauseMs);
  }
}

type Truthy<T> = Exclude<T, false | null | undefined | '' | 0 | 0n>;
type Look<T> = { kind: 'seen'; value: Truthy<T> } | { kind: 'not-yet'; reason: string };

async function attempt<T>(probe: () => T | Promise<T>): Promise<Look<T>> {
  try {
    const value = await probe();
    return isTruthy(value) ? { kind: 'seen', value } : { kind: 'not-yet', reason: `the probe answered ${String(value)}` };
  } catch (error) {
    return { kind: 'not-yet', reason: error instanceof Error ? error.message : String(error) };
  }
}

function isTruthy<T>(value: T): value is Truthy<T> & T {
  return Boolean(value);
}

/** The result of a promise, or undefined when it takes longer than `ms`. */
async function within<T>(ms: number, promise: Promise<T>): Promise<T | undefined> {
  const timer = new AbortController();
  const timeout = sleep(Math.max(0, ms), undefined, { signal: timer.signal }).catch(() => undefined);
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    timer.abort();
  }
}
