import { writeFileSync } from 'node:fs';

/** One answered request, as the API server logged it (audit.k8s.io/v1 Event), as far as tests look at it. */
export type AuditEvent = {
  verb: string;
  requestURI: string;
  stage: string;
  user: { username: string };
  objectRef?: { resource?: string; namespace?: string; name?: string; subresource?: string };
  responseStatus?: { code?: number };
  /** When the server had the request, and when it had answered: RFC 3339 in UTC, to the microsecond. */
  requestReceivedTimestamp: string;
  stageTimestamp: string;
};

/** Writes the policy that logs who asked what, with what result, once for each request; watches also when they begin. */
export function writeAuditPolicy(file: string): string {
  const policy = { apiVersion: 'audit.k8s.io/v1', kind: 'Policy', omitStages: ['RequestReceived'], rules: [{ level: 'Metadata' }] };
  writeFileSync(file, JSON.stringify(policy));
  return file;
}

/** The events in a piece of an audit log that begins with a line. */
export function parseAuditLines(text: string): AuditEvent[] {
  const lines = text.split('\n').slice(0, -1);
  return lines.map((line): AuditEvent => JSON.parse(line));
}
