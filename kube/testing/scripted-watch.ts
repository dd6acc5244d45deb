import type { ApiRequest, ApiResponse } from '#kube/transport.ts';

/** The stream of one watch, which a test feeds line by line. */
export class ScriptedWatch {
  readonly #lines: (Uint8Array | Error | undefined)[] = [];
  #wake: () => void = () => {};

  /** The answer to put into a script. */
  readonly answer = (request: ApiRequest): ApiResponse => ({ status: 200, headers: {}, body: this.#body(request.signal) });

  /** Sends one event. */
  send(type: string, object: unknown): void {
    this.#push(Buffer.from(`${JSON.stringify({ type, object })}\n`));
  }

  /** Sends a bookmark, by default not the one at the end of the initial events. */
  bookmark(resourceVersion: string, more: { end?: boolean } = {}): void {
    const annotations = more.end === true ? { 'k8s.io/initial-events-end': 'true' } : {};
    this.send('BOOKMARK', { metadata: { resourceVersion, annotations } });
  }

  /** Ends the stream as a server does. */
  end(): void {
    this.#push(undefined);
  }

  /** Breaks the stream. */
  cut(error: Error): void {
    this.#push(error);
  }

  #push(line: Uint8Array | Error | undefined): void {
    this.#lines.push(line);
    this.#wake();
  }

  async *#body(signal: AbortSignal): AsyncGenerator<Uint8Array> {
    signal.addEventListener('abort', () => this.#wake(), { once: true });
    for (;;) {
      if (signal.aborted) throw signal.reason;
      if (this.#lines.length === 0) await this.#more();
      else {
        const line = this.#lines.shift();
        if (line === undefined) return;
        if (line instanceof Error) throw line;
        yield line;
      }
    }
  }

  #more(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}
