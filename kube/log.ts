/** The fields a log line may carry, each with one meaning everywhere. Messages are constant; what varies goes here. */
export type LogFields = {
  controller?: string;
  reconcileId?: string;
  cell?: string;
  project?: string;
  cluster?: string;
  location?: string;
  kind?: string;
  namespace?: string;
  name?: string;
  action?: string;
  reason?: string;
  attempt?: number;
  count?: number;
  durationMs?: number;
  delayMs?: number;
  address?: string;
  file?: string;
  err?: unknown;
};

/**
 * A structured log, the part of pino's Logger that we use.
 * error: somebody should look; warn: degraded and handled; info: something changed; debug: the rest.
 */
export type Log = {
  error(fields: LogFields, message: string): void;
  warn(fields: LogFields, message: string): void;
  info(fields: LogFields, message: string): void;
  debug(fields: LogFields, message: string): void;
  child(fields: LogFields): Log;
};
