import { ApiError } from '#kube/errors.ts';
import { isRecord } from '#kube/objects.ts';
import { readJson } from '#kube/request.ts';
import type { ApiRequest, ApiResponse } from '#kube/transport.ts';
import { json } from '#e2e/simulation/model/answers.ts';
import { silence } from '#e2e/simulation/model/silence.ts';
import type { Link } from '#e2e/simulation/network/link.ts';
import type { WatchFault } from '#e2e/simulation/network/weather.ts';
import type { Timers } from '#e2e/simulation/timers.ts';

/** The answer without its objects, complete and in good form. Anything but a list stays as it is. */
export async function emptied(response: ApiResponse): Promise<ApiResponse> {
  const list = await readJson(response);
  if (!isRecord(list) || !Array.isArray(list['items']) || !isRecord(list['metadata'])) return json(list, response.status, response.headers);
  const { resourceVersion } = list['metadata'];
  return json({ ...list, metadata: { resourceVersion }, items: [] }, response.status);
}

type WatchOptions = { fault: WatchFault | undefined; request: ApiRequest; link: Link; timers: Timers };

/** The events of a watch as they come through, each after a while. */
export async function* faultyWatch(body: AsyncIterable<Uint8Array>, options: WatchOptions): AsyncGenerator<Uint8Array> {
  const { fault, request, link, timers } = options;
  let left = link.random.integer(0, 4);
  let listed = false;
  for await (const chunk of body) {
    await timers.sleep(link.random.integer(1, 30), request.signal);
    request.signal.throwIfAborted();
    if (link.weather === 'refusing') throw new ApiError('Unreachable', 'connection lost');
    if (link.weather === 'silent') await silence(request, timers);
    if (left <= 0 && fault === 'cutWatch') throw new ApiError('Unreachable', 'connection lost');
    if (left <= 0 && fault === 'stallWatch') await silence(request, timers);
    left -= 1;
    const kind = kindOf(chunk);
    listed ||= kind === 'end';
    if (!isLeftOut(kind, { fault, listed, left })) yield chunk;
  }
}

function isLeftOut(
  kind: 'event' | 'bookmark' | 'end',
  { fault, listed, left }: { fault: WatchFault | undefined; listed: boolean; left: number },
): boolean {
  if (fault === 'noEndBookmark') return kind === 'end';
  if (fault === 'dropEvent') return left === 0 && kind === 'event';
  return fault === 'emptyStream' && !listed && kind === 'event';
}

function kindOf(chunk: Uint8Array): 'event' | 'bookmark' | 'end' {
  const line = Buffer.from(chunk).toString('utf8');
  if (!line.startsWith('{"type":"BOOKMARK"')) return 'event';
  return line.includes('initial-events-end') ? 'end' : 'bookmark';
}
