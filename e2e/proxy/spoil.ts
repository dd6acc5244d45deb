import { setTimeout as sleep } from 'node:timers/promises';
import * as answers from '#e2e/proxy/answers.ts';
import { cross, crossTruncated } from '#e2e/proxy/cross.ts';
import type { Exchange } from '#e2e/proxy/exchange.ts';
import { falsifyList } from '#e2e/proxy/falsify-list.ts';
import type { RequestFault } from '#e2e/proxy/fault.ts';

/** Lets one request go wrong in the given way. Resolves when the answer has been given, or never will be. */
export async function spoil(exchange: Exchange, fault: RequestFault): Promise<void> {
  switch (fault.kind) {
    case 'reset':
      return exchange.reset();
    case 'hang':
      return;
    case 'delay':
      await sleep(fault.ms);
      return cross(exchange);
    case 'truncate':
      return crossTruncated(exchange, fault.afterBytes);
    case 'empty-list':
    case 'empty-first-page':
    case 'lost-continue':
    case 'older-list':
      return falsifyList(exchange, fault);
    default:
      return answer(exchange, fault);
  }
}

type Canned = Extract<RequestFault, { kind: 'status' | 'not-served' | 'malformed' | 'html' | 'error-event' }>;

function answer(exchange: Exchange, fault: Canned): void {
  // What a client sends must be read, or its connection cannot be used again.
  exchange.request.resume();
  switch (fault.kind) {
    case 'status':
      return answers.answerStatus(exchange, fault);
    case 'not-served':
      return answers.answerNotServed(exchange);
    case 'malformed':
      return answers.answerMalformed(exchange);
    case 'html':
      return answers.answerHtml(exchange);
    case 'error-event':
      return answers.answerErrorEvent(exchange, fault);
  }
}
