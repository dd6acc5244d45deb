/** One HTTP request to one API server. The seam where the simulator's model of a server stands in for a real one. */
export type ApiRequest = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path as the API server knows it, already escaped: `/apis/discovery.k8s.io/v1/namespaces/a/endpointslices/b`. */
  path: string;
  query?: Record<string, string>;
  /** Serialised body. */
  body?: string;
  contentType?: string;
  signal: AbortSignal;
  /** Longest silence, in milliseconds, before the first byte of the answer and between two chunks of it. */
  idleMs: number;
  /** Asked each time that the request is about to leave, once there is a connection. Where it says false, nothing is sent. Default: true. */
  stillWanted?: () => boolean;
};

/** The head of an answer, and its body as it arrives. The body must be read to its end or returned (`break` out of the loop). */
export type ApiResponse = {
  status: number;
  /** Header names in lower case. */
  headers: Record<string, string>;
  body: AsyncIterable<Uint8Array>;
};

/** What carries requests to one API server. */
export type Transport = {
  /** Answers with whatever the server said; @throws {ApiError} `Unreachable` or `Timeout` when it said nothing; {NotSentError}. */
  send(request: ApiRequest): Promise<ApiResponse>;
  /** Ends every connection. Later sends fail. */
  close(): Promise<void>;
};
