import type { FieldSet, KubeObject, ManagedFields, ObjectMeta } from '#api/objects.ts';
import type { ApiRequest, ApiResponse, Transport } from '#kube/transport.ts';
import { isObject, isRecord } from '#kube/objects.ts';
import { json, status } from '#kube/testing/scripted-transport.ts';

/** Answers one request in the server's place, or leaves it to the server. */
export type Fault = (request: ApiRequest) => ApiResponse | Promise<ApiResponse> | undefined;

/** Lets the server answer itself, and this happen when it is asked for that path, before it does. */
export function whenAsked(path: string, happens: () => void): Fault {
  return (request) => {
    if (request.path === path) happens();
    return undefined;
  };
}

/** The same fault, from the moment on that the server was asked for `path`. */
export function onceAsked(path: string, fault: Fault): Fault {
  let wasAsked = false;
  return (request) => {
    wasAsked ||= request.path === path;
    return wasAsked ? fault(request) : undefined;
  };
}

/**
 * An API server in memory that knows just enough for a mirror: get, list in pages, server-side apply of labels, annotations
 * and whole body fields, create, and delete with preconditions. It keeps every request that it was sent, and a test may answer any of them itself.
 */
export class MemoryServer implements Transport {
  readonly requests: ApiRequest[] = [];
  /** Looks at each request first. */
  fault: Fault = () => undefined;
  /** Added to the body of whatever is applied, as a server's defaults are. */
  defaults: Record<string, unknown> = {};
  readonly #objects = new Map<string, KubeObject>();
  #version = 100;

  /** Puts an object there as somebody else's, `kubectl`'s for example. */
  put(path: string, object: KubeObject, manager = 'kubectl'): KubeObject {
    return this.#write(path, object, manager).object;
  }

  /** Takes an object away. */
  remove(path: string): void {
    this.#version += 1;
    this.#objects.delete(path);
  }

  /** What is stored there now. */
  at(path: string): KubeObject | undefined {
    return this.#objects.get(path);
  }

  /** The requests that would have changed something, as `METHOD path`. */
  get writes(): string[] {
    return this.requests.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`);
  }

  async send(request: ApiRequest): Promise<ApiResponse> {
    this.requests.push(request);
    const answer = await this.fault(request);
    if (answer) return answer;
    if (request.method === 'GET') return this.#read(request);
    if (request.method === 'PATCH') return this.#apply(request);
    if (request.method === 'POST') return this.#create(request);
    if (request.method === 'DELETE') return this.#delete(request);
    return status(405, 'MethodNotAllowed')(request);
  }

  async close(): Promise<void> {}

  #read(request: ApiRequest): ApiResponse | Promise<ApiResponse> {
    const object = this.#objects.get(request.path);
    if (object) return json(object)(request);
    return isCollection(request.path) ? this.#list(request) : notFound(request);
  }

  #list(request: ApiRequest): ApiResponse | Promise<ApiResponse> {
    const { limit = '500', labelSelector = '', continue: from = '0' } = request.query ?? {};
    const plural = request.path.split('/').at(-1) ?? '';
    const all = [...this.#objects].filter(([path, object]) => path.split('/').at(-2) === plural && matches(object, labelSelector));
    const next = Number(from) + Number(limit);
    const metadata = { resourceVersion: String(this.#version), ...(next < all.length && { continue: String(next) }) };
    const items = all.slice(Number(from), next).map(([, object]) => object);
    return json({ kind: LIST_KINDS[plural], metadata, items })(request);
  }

  #apply(request: ApiRequest): ApiResponse | Promise<ApiResponse> {
    const wanted: unknown = JSON.parse(request.body ?? '');
    const { fieldManager = '', force } = request.query ?? {};
    if (!isObject(wanted)) return status(400, 'BadRequest')(request);
    const held = this.#objects.get(request.path);
    if (!isOfVersion(held, wanted.metadata)) return status(409, 'Conflict')(request);
    if (held && force !== 'true' && conflicts(held, wanted, fieldManager)) {
      return status(409, 'Conflict', { details: { causes: [{ reason: 'FieldManagerConflict', field: '.metadata' }] } })(request);
    }
    const { object, created } = this.#write(request.path, { ...wanted, ...this.defaults }, fieldManager);
    return json(object, created ? 201 : 200)(request);
  }

  #create(request: ApiRequest): ApiResponse | Promise<ApiResponse> {
    const wanted: unknown = JSON.parse(request.body ?? '');
    if (!isObject(wanted)) return status(400, 'BadRequest')(request);
    const path = `${request.path}/${wanted.metadata.name}`;
    if (this.#objects.has(path)) return status(409, 'AlreadyExists', { details: { name: wanted.metadata.name } })(request);
    return json(this.#write(path, wanted, request.query?.['fieldManager'] ?? '').object, 201)(request);
  }

  /** As an apply does: what the manager owned before and does not name any more goes. An equal object stays as it is. */
  #write(path: string, wanted: KubeObject, manager: string): { object: KubeObject; created: boolean } {
    const held = this.#objects.get(path);
    const object: KubeObject = {
      ...held,
      ...wanted,
      metadata: {
        ...held?.metadata,
        ...wanted.metadata,
        uid: held?.metadata.uid ?? wanted.metadata.uid ?? `uid-${this.#version}`,
        labels: merged(held, wanted, { manager, part: 'labels' }),
        annotations: merged(held, wanted, { manager, part: 'annotations' }),
        managedFields: [...others(held, manager), entryOf(wanted, manager)].toSorted(byManager),
      },
    };
    if (held && JSON.stringify(held) === JSON.stringify(object)) return { object: held, created: false };
    this.#version += 1;
    object.metadata = { ...object.metadata, resourceVersion: String(this.#version) };
    this.#objects.set(path, object);
    return { object, created: held === undefined };
  }

  #delete(request: ApiRequest): ApiResponse | Promise<ApiResponse> {
    const held = this.#objects.get(request.path);
    if (!held) return notFound(request);
    const options: unknown = JSON.parse(request.body ?? '');
    const asked = isRecord(options) && isRecord(options['preconditions']) ? options['preconditions'] : {};
    const { uid, resourceVersion, finalizers } = held.metadata;
    if (asked['uid'] !== uid || asked['resourceVersion'] !== resourceVersion) return status(409, 'Conflict')(request);
    if (finalizers?.length) {
      this.put(request.path, { ...held, metadata: { ...held.metadata, deletionTimestamp: '2030-01-01T00:00:00Z' } });
      return json(this.at(request.path))(request);
    }
    this.remove(request.path);
    return json({ kind: 'Status', status: 'Success' })(request);
  }
}

/** True where the object is the one that is named, in the version that is named, as far as it is. */
function isOfVersion(held: KubeObject | undefined, { uid, resourceVersion }: ObjectMeta): boolean {
  if (uid !== undefined && uid !== held?.metadata.uid) return false;
  return resourceVersion === undefined || resourceVersion === held?.metadata.resourceVersion;
}

function others(object: KubeObject | undefined, manager: string): ManagedFields[] {
  return (object?.metadata.managedFields ?? []).filter((entry) => entry.manager !== manager);
}

function byManager(one: ManagedFields, other: ManagedFields): number {
  return (one.manager ?? '') < (other.manager ?? '') ? -1 : 1;
}

type Part = 'labels' | 'annotations';

const LIST_KINDS: Record<string, string> = { endpointslices: 'EndpointSliceList', namespaces: 'NamespaceList' };

function isCollection(path: string): boolean {
  return (path.split('/').at(-1) ?? '') in LIST_KINDS;
}

function notFound(request: ApiRequest): ApiResponse | Promise<ApiResponse> {
  const [kind, name] = request.path.split('/').slice(-2);
  return status(404, 'NotFound', { details: { kind, name } })(request);
}

/** The selectors that mirrors use: `key`, `key=value`, `key!=value`, joined by commas. */
function matches({ metadata: { labels = {} } }: KubeObject, selector: string): boolean {
  return selector.split(',').every((term) => {
    const [, key = '', operator, value] = /^([^!=]*)(?:(!?=)(.*))?$/.exec(term) ?? [];
    if (operator === undefined) return key === '' || key in labels;
    return (labels[key] === value) === (operator === '=');
  });
}

function merged(held: KubeObject | undefined, wanted: KubeObject, { manager, part }: { manager: string; part: Part }) {
  const before = ownedKeys(held, part, (entry) => entry.manager === manager);
  const kept = Object.entries(held?.metadata[part] ?? {}).filter(([key]) => !before.has(key));
  return { ...Object.fromEntries(kept), ...wanted.metadata[part] };
}

function conflicts(held: KubeObject, wanted: KubeObject, manager: string): boolean {
  const parts: Part[] = ['labels', 'annotations'];
  return parts.some((part) => {
    const theirs = ownedKeys(held, part, (entry) => entry.manager !== manager);
    return Object.entries(wanted.metadata[part] ?? {}).some(([key, value]) => theirs.has(key) && held.metadata[part]?.[key] !== value);
  });
}

function ownedKeys(object: KubeObject | undefined, part: Part, by: (entry: ManagedFields) => boolean): Set<string> {
  const sets = (object?.metadata.managedFields ?? []).filter(by).map((entry) => entry.fieldsV1?.['f:metadata']?.[`f:${part}`] ?? {});
  return new Set(sets.flatMap((set) => Object.keys(set).map((key) => key.slice(2))));
}

function entryOf({ metadata }: KubeObject, manager: string): ManagedFields {
  const set = (keys: Record<string, string> = {}): FieldSet => Object.fromEntries(Object.keys(keys).map((key) => [`f:${key}`, {}]));
  const fieldsV1 = { 'f:metadata': { 'f:labels': set(metadata.labels), 'f:annotations': set(metadata.annotations) } };
  return { manager, operation: 'Apply', fieldsV1 };
}
