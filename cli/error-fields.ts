/** An error as a log shows it. Never its stack's source, never a body: only what was written to be read. */
export type ErrorFields = {
  name: string;
  code?: string;
  message?: string;
  status?: number;
  reason?: string;
  stack?: string;
  cause?: ErrorFields;
};

/** How deep causes are shown. Deeper ones tell the system's inside, not ours. */
const MAX_CAUSES = 4;

/** The classes whose messages follow our grammar: verb, object, fact; no body, no secret. */
const OURS = new Set(['ApiError', 'WaitingError', 'TerminalError', 'ConfigError', 'UsageError']);

/**
 * The fields of an error for a log line. Errors of our own show their message. A foreign one shows its message only at the
 * top, with its stack, as it is a fault to be mended; as a cause it shows name and code, since parsers quote what they read,
 * and that may be a credential.
 */
export function errorFields(error: unknown): ErrorFields {
  const fields = describe(error, 0);
  if (!(error instanceof Error) || OURS.has(error.name)) return fields;
  return { ...fields, message: error.message, ...(error.stack === undefined ? {} : { stack: error.stack }) };
}

function describe(error: unknown, depth: number): ErrorFields {
  if (!(error instanceof Error)) return { name: typeof error };
  return {
    name: error.name,
    ...pick(error, 'code', 'string'),
    ...(OURS.has(error.name) ? { message: error.message } : {}),
    ...pick(error, 'status', 'number'),
    ...pick(error, 'reason', 'string'),
    ...(error.cause === undefined || depth >= MAX_CAUSES ? {} : { cause: describe(error.cause, depth + 1) }),
  };
}

/** The error's own field of that name, where it has one of that type that says something. */
function pick(error: Error, field: string, type: 'string' | 'number'): Record<string, unknown> {
  const value: unknown = Object.getOwnPropertyDescriptor(error, field)?.value;
  return typeof value === type && value !== '' && value !== 0 ? { [field]: value } : {};
}
