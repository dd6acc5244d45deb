import { ApiError } from '#kube/errors.ts';
import type { ApiRequest, ApiResponse, Transport } from '#kube/transport.ts';

/** A transport over another one, that can be cut: what is under way breaks, and nothing gets through until it is mended. */
export class CutTransport implements Transport {
  readonly #transport: Transport;
  #cut = new AbortController();

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  cut(): void {
    this.#cut.abort(new ApiError('Unreachable', 'connection lost'));
  }

  mend(): void {
    this.#cut = new AbortController();
  }

  async send(request: ApiRequest): Promise<ApiResponse> {
    this.#cut.signal.throwIfAborted();
    return this.#transport.send({ ...request, signal: AbortSignal.any([request.signal, this.#cut.signal]) });
  }

  close(): Promise<void> {
    return this.#transport.close();
  }
}
