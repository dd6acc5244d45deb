import { isDeepStrictEqual } from 'node:util';
import type { KubeObject } from '#api/objects.ts';
import { failureCode } from '#kube/errors.ts';
import type { ReflectorHandler } from '#kube/reflector-handler.ts';
import { absent, type Observation, present, unknown } from '#mirror/observation.ts';
import { keyOf, type ObjectKey } from '#mirror/object-key.ts';

/** How objects are reduced to what is needed of them, and who wants to know of changes. */
export type ReducedStoreOptions<T> = {
  reduce: (object: KubeObject) => T;
  /** Called with each key whose reduced form changed, and once for every key when the first list is complete. */
  changed: (key: ObjectKey) => void;
  /** Called when the set as a whole became known, or known to be not served. */
  settled?: () => void;
};

/**
 * The few objects that decide about others (namespaces, serving locations), each reduced to what is read of it.
 * Until a full list has ended every key is unknown.
 */
export class ReducedStore<T> {
  readonly #options: ReducedStoreOptions<T>;
  readonly #values = new Map<ObjectKey, { value: T; list: number }>();
  /** The requests under way, see `read`. */
  readonly #requests = new Set<{ key: ObjectKey; overtaken: boolean }>();
  #list = 0;
  #complete = false;
  #why = 'NotListed';

  constructor(options: ReducedStoreOptions<T>) {
    this.#options = options;
  }

  /** What to give to the reflector. */
  get handler(): ReflectorHandler<KubeObject> {
    return {
      listStarted: () => void (this.#list += 1),
      present: (object) => this.#observe(keyOf(object), object),
      deleted: (object) => this.#observe(keyOf(object), undefined),
      listCompleted: () => this.#finishList(),
      failed: (error) => this.#failed(error),
    };
  }

  /** True once a full list has ended. */
  get complete(): boolean {
    return this.#complete;
  }

  /** Why a full list has not ended yet, see `missing.ts`. */
  get missing(): string | undefined {
    return this.#complete ? undefined : this.#why;
  }

  /** True while the kind was never seen and its API says that it is not served. */
  get unserved(): boolean {
    return !this.#complete && this.#why === 'NotServed';
  }

  /** What is known of one object. */
  get(key: ObjectKey): Observation<T> {
    const known = this.#values.get(key);
    if (known) return present(known.value);
    return this.#complete ? absent('weak') : unknown(this.#why);
  }

  /** The keys of everything known, in no order. */
  keys(): Iterable<ObjectKey> {
    return this.#values.keys();
  }

  /** Everything known, in no order. */
  values(): T[] {
    return [...this.#values.values()].map(({ value }) => value);
  }

  /**
   * Runs one live read or write of an object and takes over what the server answers, before its event has come or where a list has lost it.
   * Where the watch or a list has shown the object meanwhile its word stands: the answer may be an older one, which nothing would put right.
   * @returns the answer, undefined where there is none. @throws whatever `send` throws.
   */
  async read<K extends KubeObject | undefined>(key: ObjectKey, send: () => Promise<K>): Promise<K> {
    const request = { key, overtaken: false };
    this.#requests.add(request);
    try {
      const answer = await send();
      if (!request.overtaken) this.#learn(key, answer);
      return answer;
    } finally {
      this.#requests.delete(request);
    }
  }

  #observe(key: ObjectKey, object: KubeObject | undefined): void {
    for (const request of this.#requests) if (request.key === key) request.overtaken = true;
    this.#learn(key, object);
  }

  #learn(key: ObjectKey, object: KubeObject | undefined): void {
    if (object) this.#set(key, this.#options.reduce(object));
    else this.#remove(key);
  }

  #set(key: ObjectKey, value: T): void {
    const before = this.#values.get(key);
    this.#values.set(key, { value, list: this.#list });
    if (this.#complete && !(before && isDeepStrictEqual(before.value, value))) this.#options.changed(key);
  }

  #remove(key: ObjectKey): void {
    if (this.#values.delete(key)) this.#options.changed(key);
  }

  #finishList(): void {
    for (const [key, { list }] of this.#values) if (list !== this.#list) this.#remove(key);
    const first = !this.#complete;
    this.#complete = true;
    if (!first) return;
    for (const key of this.#values.keys()) this.#options.changed(key);
    this.#options.settled?.();
  }

  #failed(error: unknown): void {
    this.#why = failureCode(error);
    if (this.unserved) this.#options.settled?.();
  }
}
