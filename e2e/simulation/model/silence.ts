import { ApiError } from '#kube/errors.ts';
import type { ApiRequest } from '#kube/transport.ts';
import type { Timers } from '#e2e/simulation/timers.ts';

/** Never resolves: rejects when the request is given up, or when its longest silence has passed. As a connection on which nothing comes. */
export function silence({ signal, idleMs }: Pick<ApiRequest, 'signal' | 'idleMs'>, timers: Pick<Timers, 'after'>): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const cancel = timers.after(idleMs, () => {
      signal.removeEventListener('abort', aborted);
      reject(new ApiError('Timeout', `silent for ${idleMs} ms`));
    });
    const aborted = () => {
      cancel();
      reject(signal.reason);
    };
    signal.addEventListener('abort', aborted, { once: true });
  });
}
