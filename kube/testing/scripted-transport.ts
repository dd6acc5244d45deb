import type { ApiRequest, ApiResponse, Transport } from '#kube/transport.ts';

/** What a scripted server does with one request. */
export type Answer = (request: ApiRequest) => ApiResponse | Promise<ApiResponse>;

/** A transport that gives the answers it was given, in order, and records what it was asked. */
export class ScriptedTransport implements Transport {
  readonly requests: ApiRequest[] = [];
  readonly #answers: Answer[];

  constructor(...answers: Answer[]) {
    this.#answers = answers;
  }

  /** Adds answers to the end of the script. */
  more(...answers: Answer[]): void {
    this.#answers.push(...answers);
  }

  async send(request: ApiRequest): Promise<ApiResponse> {
    this.requests.push(request);
    const answer = this.#answers.shift();
    return answer === undefined ? hang(request) : answer(request);
  }

  async close(): Promise<void> {}
}

/** One JSON document. */
export function json(body: unknown, status = 200, headers: Record<string, string> = {}): Answer {
  return text(JSON.stringify(body), status, headers);
}

/** A Kubernetes Status. */
export function status(code: number, reason: string, more: { details?: unknown; headers?: Record<string, string> } = {}): Answer {
  const body = { apiVersion: 'v1', kind: 'Status', status: 'Failure', message: 'said by the server', reason, code, details: more.details };
  return json(body, code, more.headers);
}

/** Any text. */
export function text(body: string, code = 200, headers: Record<string, string> = {}): Answer {
  return () => ({ status: code, headers, body: chunks(body) });
}

/** A body that breaks off with the error after some text. */
export function broken(body: string, error: Error): Answer {
  return () => ({ status: 200, headers: {}, body: chunks(body, error) });
}

/** No answer: the connection fails. */
export function fails(error: Error): Answer {
  return () => {
    throw error;
  };
}

/** No answer until the request is given up. */
export function hang(request: ApiRequest): Promise<never> {
  return new Promise((_resolve, reject) => {
    request.signal.addEventListener('abort', () => reject(request.signal.reason), { once: true });
  });
}

async function* chunks(body: string, error?: Error): AsyncGenerator<Uint8Array> {
  yield Buffer.from(body);
  if (error !== undefined) throw error;
}
