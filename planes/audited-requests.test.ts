import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AuditedRequests } from '#planes/audited-requests.ts';

describe('the requests in an audit log', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'audit-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('are told once each, where they came, and as they stand by now', () => {
    const file = join(folder, 'audit.log');
    const log = (...events: [auditID: string, stage: string][]) => {
      for (const [auditID, stage] of events) appendFileSync(file, `${JSON.stringify({ auditID, stage })}\n`);
    };
    log(['a', 'RequestReceived'], ['b', 'RequestReceived'], ['b', 'ResponseComplete']);
    const requests = new AuditedRequests(file);
    const told = () => requests.read().map(({ auditID, stage }) => `${auditID} ${stage}`);
    assert.deepEqual(told(), ['a RequestReceived', 'b ResponseComplete']);
    log(['c', 'RequestReceived'], ['a', 'ResponseComplete']);
    assert.deepEqual(told(), ['a ResponseComplete', 'b ResponseComplete', 'c RequestReceived']);
  });
});
