import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { SeenEvent } from '#e2e/proxy/fault.ts';
import type { Exchange } from '#e2e/proxy/exchange.ts';
import { ask, crossing } from '#e2e/proxy/upstream.ts';

/**
 * Carries a request to the server and its answer back, as it streams. Each event of a watch is shown to the fault source first.
 * A server that is not there, or that breaks off, looks so to the client too.
 */
export async function cross(exchange: Exchange): Promise<void> {
  const answer = await ask(exchange);
  writeHead(exchange.response, answer);
  if (exchange.seen.watch && answer.statusCode === 200) return crossEvents(exchange, answer);
  for await (const chunk of answer) await write(exchange.response, chunk as Buffer);
  exchange.response.end();
}

/** Carries a request to the server, and back no more than the first `bytes` of its answer. */
export async function crossTruncated(exchange: Exchange, bytes: number): Promise<void> {
  const answer = await ask(exchange);
  writeHead(exchange.response, answer);
  let left = bytes;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    await write(exchange.response, chunk.subarray(0, left));
    left -= chunk.length;
    if (left <= 0) break;
  }
  exchange.reset();
}

async function crossEvents(exchange: Exchange, answer: IncomingMessage): Promise<void> {
  for await (const line of linesOf(answer)) {
    const fault = exchange.faults.onEvent(exchange.seen, JSON.parse(line.toString()) as SeenEvent);
    if (fault === 'reset') return exchange.reset();
    if (fault === 'stall') return once(exchange.response, 'close').then(() => undefined);
    if (fault === undefined) await write(exchange.response, line);
  }
  exchange.response.end();
}

/** Lines with their line feed. A last line without one is the torn end of a broken stream, and stays behind. */
export async function* linesOf(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of body) {
    rest = Buffer.concat([rest, chunk]);
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
      yield rest.subarray(0, end + 1);
      rest = rest.subarray(end + 1);
    }
  }
}

function writeHead(response: ServerResponse, { statusCode = 502, headers }: IncomingMessage): void {
  const { 'transfer-encoding': encoding, ...kept } = crossing(headers);
  response.writeHead(statusCode, kept);
  response.flushHeaders();
}

async function write(response: ServerResponse, chunk: Buffer): Promise<void> {
  if (response.destroyed || response.write(chunk)) return;
  const settled = new AbortController();
  const { signal } = settled;
  // Aborting takes back the listener for what did not come.
  await Promise.race([once(response, 'drain', { signal }), once(response, 'close', { signal })]).finally(() => settled.abort());
}
