import type { AuditEvent } from '#planes/audit-log.ts';

/** When something was under way: from when it was asked until it was answered, in milliseconds since 1970. */
export type Span = { fromMs: number; untilMs: number };

/** How long an API server was at work on a request, by its audit log. One machine, one clock: comparable with ours. */
export function spanOf({ requestReceivedTimestamp, stageTimestamp }: AuditEvent): Span {
  return { fromMs: Date.parse(requestReceivedTimestamp), untilMs: Date.parse(stageTimestamp) };
}

/** What a task answers, and when it was under way. */
export async function timed<T>(task: () => Promise<T>): Promise<{ answer: T; span: Span }> {
  const fromMs = Date.now();
  const answer = await task();
  return { answer, span: { fromMs, untilMs: Date.now() } };
}
