import type { ApiErrorCode, ObjectRef } from '#kube/errors.ts';
import { isRecord } from '#kube/objects.ts';

/** The parts of a Kubernetes `Status` that tell failures apart. */
export type Status = {
  reason: string;
  code: number | undefined;
  /** `details.name` and `details.kind`: the object that the answer is about. The kind is the plural, as in the URL. */
  name: string | undefined;
  kind: string | undefined;
  retryAfterMs: number | undefined;
  causes: { reason: string; field: string }[];
};

/** Reads a Status out of a parsed body; undefined when it is anything else. */
export function readStatus(body: unknown): Status | undefined {
  if (!isRecord(body) || body['kind'] !== 'Status') return undefined;
  const details = isRecord(body['details']) ? body['details'] : {};
  const seconds = details['retryAfterSeconds'];
  return {
    reason: text(body['reason']) ?? '',
    code: typeof body['code'] === 'number' ? body['code'] : undefined,
    name: text(details['name']),
    kind: text(details['kind']),
    retryAfterMs: typeof seconds === 'number' && seconds > 0 ? seconds * 1000 : undefined,
    causes: Array.isArray(details['causes']) ? details['causes'].filter(isRecord).map(readCause) : [],
  };
}

/**
 * What a status other than 2xx means for the object that was asked for.
 * A 404 proves an object's absence only when the API that serves its kind says so about that very name: a missing CRD, a wrong
 * path and a proxy in between answer 404 too.
 */
export function codeOf(httpStatus: number, status: Status | undefined, ref: ObjectRef): ApiErrorCode {
  if (httpStatus === 404) return isAbout(status, ref) && status?.reason === 'NotFound' ? 'NotFound' : 'NotServed';
  if (httpStatus === 409) return status?.reason === 'AlreadyExists' ? 'AlreadyExists' : 'Conflict';
  // A redirect leads to something that is no API server: a sign-in page, mostly.
  if (httpStatus < 400) return 'Malformed';
  return CODES.get(httpStatus) ?? 'ServerError';
}

/** The fact at the end of an error's message: never a body, never a value that was sent. */
export function factOf(code: ApiErrorCode, httpStatus: number, status: Status | undefined): string {
  if (code === 'Conflict' && status?.causes.some((cause) => cause.reason === 'FieldManagerConflict')) return 'field manager conflict';
  if (code === 'Invalid') {
    const fields = status?.causes.map((cause) => cause.field).filter((field) => field !== '') ?? [];
    return fields.length === 0 ? `rejected with status ${httpStatus}` : `rejected: ${fields.join(', ')}`;
  }
  return FACTS[code] ?? `status ${httpStatus}`;
}

const CODES = new Map<number, ApiErrorCode>([
  [400, 'Invalid'],
  [401, 'Unauthorized'],
  [403, 'Forbidden'],
  [410, 'Expired'],
  [415, 'Invalid'],
  [422, 'Invalid'],
  [429, 'TooManyRequests'],
]);

const FACTS: Partial<Record<ApiErrorCode, string>> = {
  Unauthorized: 'unauthorized',
  Forbidden: 'forbidden',
  NotFound: 'not found',
  NotServed: 'kind not served',
  AlreadyExists: 'already exists',
  Conflict: 'conflict',
  Expired: 'version too old',
  TooManyRequests: 'too many requests',
};

function isAbout(status: Status | undefined, { resource, name }: ObjectRef): boolean {
  return name !== undefined && status?.name === name && status.kind === resource.plural;
}

function readCause(cause: Record<string, unknown>): { reason: string; field: string } {
  return { reason: text(cause['reason']) ?? '', field: text(cause['field']) ?? '' };
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
