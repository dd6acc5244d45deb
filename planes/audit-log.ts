import { writeFileSync } from 'node:fs';

/** One request at one stage, as the API server logged it (audit.k8s.io/v1 Event), as far as tests look at it. */
export type AuditEvent = {
  /** The same for every stage of one request. */
  auditID: string;
  verb: string;
  requestURI: string;
  stage: string;
  user: { username: string };
  objectRef?: { resource?: string; namespace?: string; name?: string; subresource?: string };
  responseStatus?: { code?: number };
  /** When the server had the request, and when it came to this stage, the last being the answer: RFC 3339 in UTC, to the microsecond. */
  requestReceivedTimestamp: string;
  stageTimestamp: string;
};

/**
 * Writes the policy that logs who asked what, with what result, once for each request; watches also when they begin, and writes also before
 * they are carried out: whoever sees the effect of one finds it in the log.
 */
export function writeAuditPolicy(file: string): string {
  const reads = { level: 'Metadata', verbs: ['get', 'list', 'watch'], omitStages: ['RequestReceived'] };
  const policy = { apiVersion: 'audit.k8s.io/v1', kind: 'Policy', rules: [reads, { level: 'Metadata' }] };
  writeFileSync(file, JSON.stringify(policy));
  return file;
}

/** False for what the server has only received: there is neither a result nor, of what is made, a name. */
export function isAnswered({ stage }: AuditEvent): boolean {
  return stage !== 'RequestReceived';
}

/** The events in a piece of an audit log that begins with a line. */
export function parseAuditLines(text: string): AuditEvent[] {
  const lines = text.split('\n').slice(0, -1);
  return lines.map((line): AuditEvent => JSON.parse(line));
}
