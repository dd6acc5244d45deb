import { Agent, request } from 'undici';

/** Longest wait for one answer; the next look comes soon after. */
const DEADLINE_MS = 2_000;

/**
 * The HTTP status that an address answers with, 0 when it does not answer.
 * Certificates are not checked: it only asks whether somebody is there, and sends nothing that is secret.
 */
export async function probe(url: string): Promise<number> {
  const agent = new Agent({ connect: { rejectUnauthorized: false }, allowH2: false });
  try {
    const { statusCode, body } = await request(url, { dispatcher: agent, signal: AbortSignal.timeout(DEADLINE_MS) });
    await body.dump();
    return statusCode;
  } catch {
    return 0;
  } finally {
    await agent.destroy();
  }
}
