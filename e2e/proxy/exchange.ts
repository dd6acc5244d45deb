import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FaultSource, SeenRequest } from '#e2e/proxy/fault.ts';
import type { Upstream } from '#e2e/proxy/upstream.ts';

/** One request on its way through the proxy, and all that a fault may need to spoil it. */
export type Exchange = {
  seen: SeenRequest;
  request: IncomingMessage;
  response: ServerResponse;
  upstream: Upstream;
  faults: FaultSource;
  /** Ends the client's connection with a reset. */
  reset(): void;
};
