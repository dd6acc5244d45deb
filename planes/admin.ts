import { Agent, request } from 'undici';
import { ApiError } from '#kube/errors.ts';
import type { ApiErrorCode } from '#kube/errors.ts';

/** One request of the admin. */
export type AdminRequest = {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  query?: Record<string, string>;
  body?: unknown;
  contentType?: string;
};

/** A plane's API server as its admin sees it: for setting a scene and for looking, never for what the service does. */
export type Admin = {
  /** The answer's JSON. @throws {ApiError} for anything but a 2xx status. */
  ask(request: AdminRequest): Promise<unknown>;
  /** The answer's status, 0 when there is none. */
  status(path: string): Promise<number>;
  /** Makes the object exactly as given, as far as its fields go, and returns what the server holds then. */
  apply(path: string, object: object): Promise<unknown>;
  close(): Promise<void>;
};

/** Longest wait for an answer. A hub that creates CRDs on a busy machine needs a few seconds. */
const DEADLINE_MS = 30_000;

/** An admin client for one plane. It connects when it is first asked. */
export function createAdmin({ name, url, ca, token }: { name: string; url: string; ca: string; token: string }): Admin {
  const agent = new Agent({ connect: { ca }, connections: 8, allowH2: false });
  const send = ({ method = 'GET', path, query, body, contentType = 'application/json' }: AdminRequest) =>
    request(`${url}${path}`, {
      dispatcher: agent,
      method,
      ...(query === undefined ? {} : { query }),
      headers: { authorization: `Bearer ${token}`, ...(body === undefined ? {} : { 'content-type': contentType }) },
      body: body === undefined ? null : JSON.stringify(body),
      signal: AbortSignal.timeout(DEADLINE_MS),
    });
  const ask = async (asked: AdminRequest): Promise<unknown> => {
    const { statusCode, body } = await send(asked).catch((cause: unknown) => {
      throw new ApiError('Unreachable', `Cannot ${asked.method ?? 'GET'} ${asked.path} on ${name}: ${String(cause)}`, { cause });
    });
    const answer = parse(await body.text());
    if (statusCode < 300) return answer;
    throw refusal(`Cannot ${asked.method ?? 'GET'} ${asked.path} on ${name}`, statusCode, answer);
  };
  return {
    ask,
    async status(path) {
      try {
        const { statusCode, body } = await send({ path });
        await body.dump();
        return statusCode;
      } catch {
        return 0;
      }
    },
    apply: (path, object) =>
      ask({
        method: 'PATCH',
        path,
        query: { fieldManager: 'planes', force: 'true' },
        body: object,
        contentType: 'application/apply-patch+yaml',
      }),
    close: () => agent.destroy(),
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function refusal(what: string, status: number, answer: unknown): ApiError {
  const said = field(answer, 'message') ?? String(answer).slice(0, 200);
  return new ApiError(CODES[status] ?? 'ServerError', `${what}: ${status} ${said}`, { status, reason: field(answer, 'reason') ?? '' });
}

function field(answer: unknown, name: 'message' | 'reason'): string | undefined {
  const value: unknown = typeof answer === 'object' && answer !== null ? Reflect.get(answer, name) : undefined;
  return typeof value === 'string' ? value : undefined;
}

const CODES: Readonly<Record<number, ApiErrorCode>> = {
  400: 'Invalid',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  410: 'Expired',
  422: 'Invalid',
  429: 'TooManyRequests',
};
