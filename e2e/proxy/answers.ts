import type { Exchange } from '#e2e/proxy/exchange.ts';
import type { RequestFault } from '#e2e/proxy/fault.ts';

/** Reasons as an API server words them, by status. */
const REASONS: Record<number, string> = {
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  410: 'Expired',
  422: 'Invalid',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'ServiceUnavailable',
};

/** Answers with a Kubernetes Status. */
export function answerStatus({ response }: Exchange, { status, retryAfterSeconds }: Extract<RequestFault, { kind: 'status' }>): void {
  const retryAfter = retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) };
  response.writeHead(status, { 'content-type': 'application/json', ...retryAfter });
  response.end(JSON.stringify(statusObject(status)));
}

/** Answers as a server does that knows no such path. */
export function answerNotServed({ response }: Exchange): void {
  response.writeHead(404, { 'content-type': 'text/plain; charset=utf-8' }).end('404 page not found\n');
}

/** Answers 200 with JSON that ends in the middle. */
export function answerMalformed({ response }: Exchange): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end('{"kind":"List","apiVersion":"v1","items":[{"metadata":');
}

/** Answers 200 with HTML. */
export function answerHtml({ response }: Exchange): void {
  response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Sign in</title>');
}

/** Answers a watch with one ERROR event, and ends it. */
export function answerErrorEvent({ response }: Exchange, { code }: Extract<RequestFault, { kind: 'error-event' }>): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(`${JSON.stringify({ type: 'ERROR', object: statusObject(code) })}\n`);
}

function statusObject(code: number): object {
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message: 'fault proxy', reason: REASONS[code], code };
}
