import type { KubeObject } from '#api/objects.ts';
import { matchesSelector, parseSelector } from '#kube/label-selector.ts';
import { apiVersionOf } from '#kube/objects.ts';
import type { ApiRequest, ApiResponse } from '#kube/transport.ts';
import { json, refusal } from '#e2e/simulation/model/answers.ts';
import type { Target } from '#e2e/simulation/model/kinds.ts';
import type { Store } from '#e2e/simulation/model/store.ts';

type Rest = { items: KubeObject[]; version: number };

/** Lists in pages that all show the moment of the first, for as long as the server remembers it. */
export class Pages {
  readonly #rests = new Map<string, Rest>();
  readonly #store: Store;
  #tokens = 0;

  constructor(store: Store) {
    this.#store = store;
  }

  answer(request: ApiRequest, target: Target): ApiResponse {
    const { labelSelector = '', limit, continue: token } = request.query ?? {};
    const list = token === undefined ? this.#begin(target, labelSelector) : this.#resume(token);
    if (list === undefined) return refusal(410, 'Expired');
    const size = limit === undefined || limit === '0' ? list.items.length : Number(limit);
    const metadata: Record<string, unknown> = { resourceVersion: String(list.version) };
    if (size < list.items.length) metadata['continue'] = this.#keep({ ...list, items: list.items.slice(size) });
    const { resource } = target;
    const items = list.items.slice(0, size).map(({ apiVersion: _apiVersion, kind: _kind, ...object }) => object);
    return json({ kind: `${resource.kind}List`, apiVersion: apiVersionOf(resource), metadata, items });
  }

  /** Nothing that was begun can be continued. */
  forget(): void {
    this.#rests.clear();
  }

  #begin({ resource, namespace }: Target, labelSelector: string): Rest {
    const selector = parseSelector(labelSelector);
    const items = this.#store.list(resource, namespace).filter(({ metadata }) => matchesSelector(selector, metadata.labels ?? {}));
    return { items, version: this.#store.version };
  }

  #resume(token: string): Rest | undefined {
    const rest = this.#rests.get(token);
    this.#rests.delete(token);
    return rest;
  }

  #keep(rest: Rest): string {
    this.#tokens += 1;
    const token = `page-${this.#tokens}`;
    this.#rests.set(token, rest);
    return token;
  }
}
