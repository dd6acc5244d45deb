import type { Client } from '#kube/client.ts';
import { ApiError, quoteRef } from '#kube/errors.ts';
import type { ApiErrorCode, ObjectRef } from '#kube/errors.ts';
import { retryAfterMs } from '#kube/retry-after.ts';
import { codeOf, factOf, readStatus } from '#kube/status.ts';

/** What was tried on what: the first half of every error message. */
export type Attempt = { verb: 'get' | 'list' | 'watch' | 'apply' | 'create' | 'prune' | 'try out' | 'delete' | 'discover'; ref: ObjectRef };

/** The error for an answer that says no. `body` is the parsed body, undefined when it was no JSON. */
export function refusal(
  client: Client,
  attempt: Attempt,
  answer: { status: number; headers: Record<string, string>; body: unknown },
): ApiError {
  const status = readStatus(answer.body);
  const code = codeOf(answer.status, status, attempt.ref);
  return new ApiError(code, messageOf(client, attempt, factOf(code, answer.status, status)), {
    status: answer.status,
    reason: status?.reason ?? '',
    retryAfterMs: retryAfterMs(answer.headers['retry-after'], client.clock.wallMs()) ?? status?.retryAfterMs,
  });
}

/** The error for an answer that is not what the API promises. */
export function malformed(client: Client, attempt: Attempt, fact: string): ApiError {
  return failure(client, attempt, { code: 'Malformed', fact });
}

/** The error for anything else that went wrong, with the object named. */
export function failure(client: Client, attempt: Attempt, what: { code: ApiErrorCode; fact: string; cause?: unknown }): ApiError {
  return new ApiError(what.code, messageOf(client, attempt, what.fact), { cause: what.cause });
}

/** Names the object in an error that the transport threw; anything else, an abort above all, passes as it is. */
export function named(client: Client, attempt: Attempt, error: unknown): unknown {
  if (!(error instanceof ApiError)) return error;
  return failure(client, attempt, { code: error.code, fact: error.message, cause: error.cause });
}

function messageOf(client: Client, { verb, ref }: Attempt, fact: string): string {
  return `Cannot ${verb} ${quoteRef(ref)} on ${client.cluster}: ${fact}`;
}
