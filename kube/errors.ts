import type { Resource } from '#api/resources.ts';

/** One object, or one collection when `name` is absent, on one API server. */
export type ObjectRef = { resource: Resource; namespace?: string | undefined; name?: string | undefined };

/** Why a call to an API server failed. Closed: every code is handled somewhere by name. */
export type ApiErrorCode =
  | 'Unreachable' // no answer: refused, reset, black-holed, a TLS handshake that failed otherwise than by the certificate
  | 'Untrusted' // no answer: the server's certificate is not one that the kubeconfig trusts
  | 'Timeout' // our own deadline passed
  | 'Malformed' // an answer that is not what the API promises (HTML, broken JSON, truncated)
  | 'Unauthorized' // 401
  | 'Forbidden' // 403
  | 'NotFound' // 404 for this very object, said by the API that serves its kind
  | 'NotServed' // 404 for the path: the kind, its CRD or its API is not there
  | 'AlreadyExists' // 409 on create
  | 'Conflict' // 409 otherwise: a precondition or a field manager
  | 'Expired' // 410: resourceVersion or continue too old
  | 'Invalid' // 400, 415, 422: what we sent will never be accepted
  | 'TooManyRequests' // 429
  | 'ServerError'; // 5xx and everything else

/** A call to an API server that did not do what was asked. Message: verb, object quoted, cluster, fact; no body, no secret. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ApiErrorCode;
  /** HTTP status, 0 when there was no answer. */
  readonly status: number;
  /** `reason` of the Kubernetes Status, empty when there was none. */
  readonly reason: string;
  /** What the server asked for by Retry-After, in milliseconds. */
  readonly retryAfterMs: number | undefined;

  constructor(
    code: ApiErrorCode,
    message: string,
    more: { status?: number; reason?: string; retryAfterMs?: number | undefined; cause?: unknown } = {},
  ) {
    super(message, { cause: more.cause });
    this.code = code;
    this.status = more.status ?? 0;
    this.reason = more.reason ?? '';
    this.retryAfterMs = more.retryAfterMs;
  }
}

/** Not a failure: something that must come first is not there yet. The key is looked at again after `retryAfterMs`. */
export class WaitingError extends Error {
  override readonly name = 'WaitingError';
  /** A word from a closed set, used as log field and metric label. */
  readonly code: string;
  readonly retryAfterMs: number;

  constructor(code: string, message: string, retryAfterMs: number) {
    super(message);
    this.code = code;
    this.retryAfterMs = retryAfterMs;
  }
}

/** Not a failure: a write was not wanted any more when it was about to leave, and was not sent. */
export class NotSentError extends Error {
  override readonly name = 'NotSentError';
}

/** Trying again cannot help until an input changes: a file, a right, an object. */
export class TerminalError extends Error {
  override readonly name = 'TerminalError';
  readonly code: string;

  constructor(code: string, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

/** True when the error is an ApiError with one of these codes. */
export function isApiError(error: unknown, ...codes: ApiErrorCode[]): error is ApiError {
  return error instanceof ApiError && (codes.length === 0 || codes.includes(error.code));
}

/** What went wrong in a word: the code of an ApiError, and `Fault` for everything else, which is a fault of ours. */
export function failureCode(error: unknown): string {
  return isApiError(error) ? error.code : 'Fault';
}

/** True when the API that serves the kind said that this very object does not exist. The only answer that can prove absence. */
export function isNotFound(error: unknown): boolean {
  return isApiError(error, 'NotFound');
}

/** `EndpointSlice "ns/name"` — the object as every message names it. */
export function quoteRef({ resource, namespace, name }: ObjectRef): string {
  if (name === undefined) return namespace === undefined ? resource.plural : `${resource.plural} in "${namespace}"`;
  return `${resource.kind} "${namespace === undefined ? name : `${namespace}/${name}`}"`;
}
