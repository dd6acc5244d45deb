import type { HubConfig } from '#cli/hub-config.ts';
import { ConfigError } from '#cli/errors.ts';
import { parseConfig } from '#cli/parse-config.ts';
import { readConfigText } from '#cli/read-config.ts';
import type { Clock } from '#kube/clock.ts';

/** Milliseconds between two looks at the file: the delay of a change, against one small read. */
const LOOK_MS = 1000;

/** What `followConfig` needs. `read` is replaced in tests only. */
export type FollowOptions = {
  file: string;
  /** The text that is in force. */
  text: string;
  clock: Clock;
  signal: AbortSignal;
  onConfig: (config: HubConfig) => void | Promise<void>;
  /** A new text that cannot be used. What was in force stays. */
  onRefused: (error: ConfigError) => void;
  read?: (file: string) => Promise<string>;
};

/**
 * Tells every change of the file until the signal aborts; each bad text is told once.
 * The content is compared, by looking again and again: a mounted ConfigMap is swapped by a symbolic link two folders up,
 * which a watch on the file never tells, and inodes and times change without the content.
 */
export async function followConfig({
  file,
  text,
  clock,
  signal,
  onConfig,
  onRefused,
  read = readConfigText,
}: FollowOptions): Promise<void> {
  let seen = text;
  while (!signal.aborted) {
    await clock.sleep(LOOK_MS, signal);
    if (signal.aborted) return;
    try {
      const now = await read(file);
      if (now === seen) continue;
      seen = now;
      await onConfig(parseConfig(now, file));
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      // An unreadable file counts as a text of its own, so that it is told once and a return to the old text is told too.
      if (error.code === 'Invalid' || seen !== error.message) onRefused(error);
      if (error.code === 'Unreadable') seen = error.message;
    }
  }
}
