import type { Client } from '#kube/client.ts';
import { Gate } from '#kube/gate.ts';
import type { Log, LogFields } from '#kube/log.ts';
import { ManualClock } from '#kube/testing/manual-clock.ts';
import { ScriptedTransport } from '#kube/testing/scripted-transport.ts';
import type { Answer } from '#kube/testing/scripted-transport.ts';

/** A client whose server follows a script and whose time a test moves on. Its jitter is always the half. */
export function scriptedClient(...answers: Answer[]): Client & { transport: ScriptedTransport; clock: ManualClock } {
  const clock = new ManualClock();
  return {
    cluster: 'cell-1',
    transport: new ScriptedTransport(...answers),
    gate: new Gate({ concurrency: 8, clock }),
    clock,
    random: () => 0.5,
  };
}

/** One recorded line. */
export type LogLine = { level: 'error' | 'warn' | 'info' | 'debug'; message: string } & LogFields;

/** A log that keeps its lines. */
export function recordingLog(): Log & { lines: LogLine[] } {
  const lines: LogLine[] = [];
  const at = (level: LogLine['level']) => (fields: LogFields, message: string) => void lines.push({ level, message, ...fields });
  const log = { lines, error: at('error'), warn: at('warn'), info: at('info'), debug: at('debug'), child: () => log };
  return log;
}
