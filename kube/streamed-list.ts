import { ApiError, isApiError } from '#kube/errors.ts';

/** The failure of a streamed list whose end did not come in time, or at all. */
export function missingBookmark(): ApiError {
  return new ApiError('Timeout', 'Cannot list by stream: the bookmark at its end did not come');
}

/** True for a server that refuses the parameters, breaks over them, or never ends the list: pages may work where the stream does not. */
export function refusesStream(error: unknown): boolean {
  // 502 to 504 say that there is no server at the moment, for streams or pages.
  return isApiError(error, 'Invalid', 'Malformed', 'Timeout') || (isApiError(error, 'ServerError') && error.status <= 501);
}
