import type { Dispatcher } from 'undici';
import { NotSentError } from '#kube/errors.ts';

/**
 * An interceptor of undici that asks when a request is about to be written, once its connection stands: until then many
 * seconds may have gone. Where it is not wanted any more the request fails with a NotSentError, and the connection stays.
 */
export function unlessUnwanted(stillWanted: () => boolean): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) => dispatch(options, new AskingHandler(handler, stillWanted));
}

class AskingHandler implements Dispatcher.DispatchHandler {
  readonly #next: Dispatcher.DispatchHandler;
  readonly #stillWanted: () => boolean;

  constructor(next: Dispatcher.DispatchHandler, stillWanted: () => boolean) {
    this.#next = next;
    this.#stillWanted = stillWanted;
  }

  onRequestStart(...args: Parameters<NonNullable<Dispatcher.DispatchHandler['onRequestStart']>>): void {
    if (!this.#stillWanted()) throw new NotSentError('not wanted any more');
    this.#next.onRequestStart?.(...args);
  }

  onResponseStart(...args: Parameters<NonNullable<Dispatcher.DispatchHandler['onResponseStart']>>): void {
    this.#next.onResponseStart?.(...args);
  }

  onResponseData(...args: Parameters<NonNullable<Dispatcher.DispatchHandler['onResponseData']>>): void {
    this.#next.onResponseData?.(...args);
  }

  onResponseEnd(...args: Parameters<NonNullable<Dispatcher.DispatchHandler['onResponseEnd']>>): void {
    this.#next.onResponseEnd?.(...args);
  }

  onResponseError(...args: Parameters<NonNullable<Dispatcher.DispatchHandler['onResponseError']>>): void {
    this.#next.onResponseError?.(...args);
  }
}
