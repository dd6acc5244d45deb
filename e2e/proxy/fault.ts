/** A request as it arrived at the proxy. */
export type SeenRequest = {
  method: string;
  /** Path without the query, as it was escaped by the client. */
  path: string;
  query: URLSearchParams;
  /** True for a watch, streamed lists among them. */
  watch: boolean;
  /** The bearer token that it came with. */
  token?: string | undefined;
};

/** One line of a watch, parsed. */
export type SeenEvent = {
  type: string;
  object: { kind?: string; metadata?: { name?: string; annotations?: Record<string, string> } };
};

/** What happens to one request instead of a plain crossing. */
export type RequestFault =
  /** The connection ends with a reset before any byte of an answer. */
  | { kind: 'reset' }
  /** The request is taken and never answered. */
  | { kind: 'hang' }
  /** It crosses, after `ms` milliseconds. */
  | { kind: 'delay'; ms: number }
  /** A Kubernetes Status with this code. */
  | { kind: 'status'; status: 401 | 403 | 404 | 409 | 410 | 422 | 429 | 500 | 503; retryAfterSeconds?: number }
  /** `404 page not found` in plain text: what an API server says of a kind it does not serve. */
  | { kind: 'not-served' }
  /** 200 with JSON that ends in the middle, over a connection that ends well. */
  | { kind: 'malformed' }
  /** 200 with a page for people, as a portal in between would answer. */
  | { kind: 'html' }
  /** The server's own answer, cut off with the connection after `afterBytes`. */
  | { kind: 'truncate'; afterBytes: number }
  /** The server's own list, without its objects: the lie that matters most. */
  | { kind: 'empty-list' }
  /** No objects, and a `continue` that leads to all of them. An API server may answer so. */
  | { kind: 'empty-first-page' }
  /** The first `objects` of the server's own list, without the `continue` that leads to the rest: it looks complete. */
  | { kind: 'lost-continue'; objects: number }
  /** The server's own list, as if it were of `versions` before: a resourceVersion that goes back. */
  | { kind: 'older-list'; versions: number }
  /** 200, and an ERROR event in the stream. */
  | { kind: 'error-event'; code: 410 | 429 | 500 };

/** The faults that are lies about a list: what crosses is the server's own list in good form, and wrong. */
export type ListFault = Extract<RequestFault, { kind: 'empty-list' | 'empty-first-page' | 'lost-continue' | 'older-list' }>;

/** What happens to one event of a watch, and to the watch from there on. */
export type EventFault =
  /** It is left out. */
  | 'drop'
  /** From it on nothing crosses, and the connection stays. */
  | 'stall'
  /** The connection ends with a reset in its place. */
  | 'reset';

/**
 * Decides what goes wrong. Asked once for each request and once for each event of a watch, in the order of arrival.
 * Scripts answer by rules; a seeded random schedule would answer by drawing.
 */
export type FaultSource = {
  onRequest(request: SeenRequest): RequestFault | undefined;
  onEvent(request: SeenRequest, event: SeenEvent): EventFault | undefined;
};
