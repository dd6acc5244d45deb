/** What a network and a server do to one request. */
export type RequestFault =
  | 'refuse' // no connection
  | 'cut' // the server does what was asked, and its answer breaks off
  | 'hang' // taken, and never answered
  | 'late' // arrives long afterwards, when nobody waits for the answer any more
  | 'delay'
  | 'unauthorized'
  | 'forbidden'
  | 'notServed' // a 404 that is about the path, not about an object
  | 'expired'
  | 'throttled'
  | 'serverError'
  | 'unavailable'
  | 'html'
  | 'malformed'
  | 'emptyList'; // the lie: a list of nothing, in good form

/** What is done to one watch. */
export type WatchFault =
  | 'cutWatch' // the connection is lost after some events
  | 'stallWatch' // nothing comes any more, and the connection stays
  | 'dropEvent'
  | 'noEndBookmark' // a streamed list never says that it is complete
  | 'emptyStream' // the lie, streamed
  | 'errorEvent'; // 410 within the stream

/** How things are between the service and one server. Each kind of weather brings its faults, as often as `share` says. */
export type Weather = { share: number; faults: readonly RequestFault[]; watchFaults: readonly WatchFault[] };

const EVERY: readonly RequestFault[] = [
  ...(['refuse', 'cut', 'hang', 'late', 'delay', 'unauthorized', 'forbidden', 'notServed', 'expired', 'throttled'] as const),
  ...(['serverError', 'unavailable', 'html', 'malformed', 'emptyList'] as const),
];

/** Every kind of weather by its name. */
export const WEATHERS = {
  calm: { share: 0, faults: [], watchFaults: [] },
  flaky: { share: 0.3, faults: EVERY, watchFaults: ['cutWatch', 'stallWatch', 'noEndBookmark', 'errorEvent'] },
  slow: { share: 0.7, faults: ['delay'], watchFaults: [] },
  cutting: { share: 0.5, faults: ['cut', 'late', 'hang'], watchFaults: ['cutWatch'] },
  refusing: { share: 1, faults: ['refuse'], watchFaults: [] },
  silent: { share: 1, faults: ['hang'], watchFaults: [] },
  throttled: { share: 0.8, faults: ['throttled', 'unavailable'], watchFaults: [] },
  unwell: { share: 0.7, faults: ['serverError', 'unavailable'], watchFaults: ['errorEvent'] },
  denied: { share: 1, faults: ['unauthorized', 'forbidden'], watchFaults: [] },
  unserved: { share: 0.8, faults: ['notServed'], watchFaults: [] },
  garbled: { share: 0.6, faults: ['html', 'malformed', 'expired'], watchFaults: ['errorEvent'] },
  lying: { share: 0.7, faults: ['emptyList'], watchFaults: ['emptyStream', 'noEndBookmark'] },
  lossy: { share: 0.5, faults: [], watchFaults: ['dropEvent', 'stallWatch', 'cutWatch'] },
} as const satisfies Record<string, Weather>;

/** The name of a weather. */
export type WeatherName = keyof typeof WEATHERS;

/** Weathers in which nothing crosses: watches that are open already feel them too. */
export function isOutage(name: WeatherName): boolean {
  return name === 'refusing' || name === 'silent';
}
