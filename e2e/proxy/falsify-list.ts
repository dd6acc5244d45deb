import { text } from 'node:stream/consumers';
import { cross } from '#e2e/proxy/cross.ts';
import type { Exchange } from '#e2e/proxy/exchange.ts';
import type { ListFault } from '#e2e/proxy/fault.ts';
import { ask, crossing } from '#e2e/proxy/upstream.ts';

type List = { metadata: { resourceVersion: string }; items: unknown[] };

/** What an empty first page hands out as `continue`; asked for it, the proxy forwards the list from its start. */
const FIRST_PAGE_CONTINUE = 'first-page-was-empty';

/** Answers with the server's own list, falsified in the given way. What the server answers instead of a list crosses as it is. */
export async function falsifyList(exchange: Exchange, fault: ListFault): Promise<void> {
  const { query } = exchange.seen;
  if (fault.kind === 'lost-continue') query.set('limit', String(fault.objects));
  if (fault.kind === 'empty-first-page' && query.has('continue')) return crossAfterFirstPage(exchange);
  const answer = await ask(exchange);
  const body = await text(answer);
  const { 'content-length': length, 'transfer-encoding': encoding, ...headers } = crossing(answer.headers);
  exchange.response.writeHead(answer.statusCode ?? 502, headers);
  exchange.response.end(answer.statusCode === 200 ? JSON.stringify(falsified(JSON.parse(body) as List, fault)) : body);
}

async function crossAfterFirstPage(exchange: Exchange): Promise<void> {
  const { query } = exchange.seen;
  if (query.get('continue') === FIRST_PAGE_CONTINUE) query.delete('continue');
  return cross(exchange);
}

function falsified(list: List, fault: ListFault): List {
  const { metadata } = list;
  const leadingTo = (next: string | undefined) => ({ ...metadata, continue: next, remainingItemCount: undefined });
  switch (fault.kind) {
    case 'empty-list':
      return { ...list, metadata: leadingTo(undefined), items: [] };
    case 'empty-first-page':
      return { ...list, metadata: leadingTo(FIRST_PAGE_CONTINUE), items: [] };
    case 'lost-continue':
      return { ...list, metadata: leadingTo(undefined) };
    case 'older-list':
      return { ...list, metadata: { ...metadata, resourceVersion: older(metadata.resourceVersion, fault.versions) } };
  }
}

function older(version: string, versions: number): string {
  return String(Math.max(1, Number(version) - versions));
}
