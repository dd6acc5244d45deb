import type { ApiResponse } from '#kube/transport.ts';

/** One JSON document. */
export function json(body: unknown, status = 200, headers: Record<string, string> = {}): ApiResponse {
  return text(JSON.stringify(body), status, headers);
}

/** Any text, in one chunk. */
export function text(body: string, status = 200, headers: Record<string, string> = {}): ApiResponse {
  return { status, headers, body: once(body) };
}

/** A refusal as an API server words it. */
export function refusal(code: number, reason: string, more: { details?: unknown; headers?: Record<string, string> } = {}): ApiResponse {
  return json(statusOf(code, reason, more.details), code, more.headers);
}

/** The body of a refusal. */
export function statusOf(code: number, reason: string, details?: unknown): object {
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: reason,
    reason,
    code,
    ...(details !== undefined && { details }),
  };
}

async function* once(body: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(body);
}
