import { destination, pino, stdTimeFunctions } from 'pino';
import type { DestinationStream } from 'pino';
import { errorFields } from '#cli/error-fields.ts';
import type { Log } from '#kube/log.ts';

/**
 * A log of one JSON object a line: `level` in words, `time` in ISO 8601, `msg`, and the fields of `LogFields`.
 * Lines go to standard error (output of commands goes to standard output), written before the call returns, so that none is lost at
 * exit. `to` is replaced in tests only.
 */
export function createLog(level: 'error' | 'warn' | 'info' | 'debug', to: DestinationStream = destination({ fd: 2, sync: true })): Log {
  const options = {
    level,
    base: null,
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: errorFields },
  };
  return pino(options, to);
}
