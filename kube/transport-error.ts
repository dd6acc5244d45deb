import { ApiError } from '#kube/errors.ts';

/** What an error of the HTTP client means. Messages are facts only: the caller knows the object and puts it in front. */
export function transportError(error: unknown, options: { idleMs: number }): ApiError {
  const code = codeOf(error);
  if (code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT') {
    return new ApiError('Timeout', `silent for ${options.idleMs} ms`, { cause: error });
  }
  // Without the cause: it holds what the server sent.
  if (code.startsWith('HPE_')) return new ApiError('Malformed', 'answer is not HTTP');
  const distrust = CERTIFICATE_FACTS[code] ?? (code.startsWith('CERT_') ? `certificate not accepted (${code})` : undefined);
  if (distrust !== undefined) return new ApiError('Untrusted', distrust, { cause: error });
  return new ApiError('Unreachable', FACTS[code] ?? (code === '' ? 'connection failed' : `connection failed (${code})`), { cause: error });
}

/** True when the connection was lost under a request that had not been answered: the server may have closed it just before. */
export function isLostConnection(error: unknown): boolean {
  return LOST.has(codeOf(error));
}

/** True when the request was never sent: its connections were being let go for new ones at that moment. */
export function wasNeverSent(error: unknown): boolean {
  // Let go of, or gone already. Nothing that is under way ends so, as connections are let go only when idle.
  return error instanceof ApiError && (codeOf(error.cause) === 'UND_ERR_CLOSED' || codeOf(error.cause) === 'UND_ERR_DESTROYED');
}

const LOST = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

const FACTS: Record<string, string> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection lost',
  EPIPE: 'connection lost',
  UND_ERR_SOCKET: 'connection lost',
  UND_ERR_CONNECT_TIMEOUT: 'no connection in time',
  UND_ERR_CLOSED: 'connection closed',
  UND_ERR_DESTROYED: 'connection closed',
  ENOTFOUND: 'host name not found',
  EAI_AGAIN: 'host name not resolved',
  EHOSTUNREACH: 'no route to host',
  ENETUNREACH: 'no route to network',
};

const CERTIFICATE_FACTS: Record<string, string> = {
  CERT_HAS_EXPIRED: 'certificate expired',
  CERT_NOT_YET_VALID: 'certificate not valid yet',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'certificate not trusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'certificate not trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'certificate not trusted',
  UNABLE_TO_GET_ISSUER_CERT: 'certificate not trusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'certificate not trusted',
  ERR_TLS_CERT_ALTNAME_INVALID: 'certificate is for another host',
};

function codeOf(error: unknown): string {
  // A host with several addresses fails with the errors of all of them.
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]);
  return typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
