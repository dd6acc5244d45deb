import { readFileSync } from 'node:fs';
import { parseAllDocuments } from 'yaml';
import { isNotFound, TerminalError } from '#kube/errors.ts';
import type { Admin } from '#planes/admin.ts';
import type { Plane } from '#planes/plane.ts';
import { waitUntil } from '#planes/wait.ts';

/** An object as a manifest gives it. */
export type Manifest = {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string; labels?: Record<string, string> };
  [field: string]: unknown;
};

const CRD = 'CustomResourceDefinition';

/** Applies every document of a YAML file as admin, in the order of the file. A CRD counts as applied once it is served. */
export async function applyManifest(plane: Plane, file: string): Promise<void> {
  await applyAll(plane, parseManifests(readFileSync(file, 'utf8')));
}

/** Applies objects as admin, CRDs all at once and first, then the others in their order. */
export async function applyAll(plane: Plane, manifests: readonly Manifest[]): Promise<void> {
  const crds = manifests.filter(({ kind }) => kind === CRD);
  await Promise.all(crds.map((crd) => applyOne(plane.admin, crd)));
  await Promise.all(crds.map(({ metadata }) => established(plane, metadata.name)));
  for (const manifest of manifests) if (manifest.kind !== CRD) await applyOne(plane.admin, manifest);
}

/** The objects of a YAML text with any number of documents. @throws {TerminalError} `BadManifest` for anything that is no object. */
export function parseManifests(text: string): Manifest[] {
  const values: unknown[] = parseAllDocuments(text).map((document) => document.toJS());
  return values.filter((value) => value !== null).map(requireManifest);
}

async function applyOne(admin: Admin, manifest: Manifest): Promise<void> {
  const { plural, namespaced } = await findResource(admin, manifest);
  const namespace = namespaced ? `/namespaces/${manifest.metadata.namespace ?? 'default'}` : '';
  await admin.apply(`${groupPath(manifest.apiVersion)}${namespace}/${plural}/${manifest.metadata.name}`, manifest);
}

async function findResource(admin: Admin, { apiVersion, kind }: Manifest): Promise<{ plural: string; namespaced: boolean }> {
  const list = await admin.ask({ path: groupPath(apiVersion) });
  for (const resource of members(list, 'resources')) {
    const { name, namespaced, kind: served } = resource;
    if (served === kind && typeof name === 'string' && !name.includes('/')) return { plural: name, namespaced: namespaced === true };
  }
  throw new TerminalError('BadManifest', `Cannot apply a ${kind}: ${apiVersion} does not serve it`);
}

async function established(plane: Plane, name: string): Promise<void> {
  const isEstablished = async () => {
    const crd = await plane.admin.ask({ path: `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${name}` });
    return hasCondition(crd, 'Established') && (await isServed(plane.admin, crd));
  };
  await waitUntil(isEstablished, { what: `CRD "${name}" to be served on ${plane.name}` });
}

/** Established comes a moment before the paths exist. */
async function isServed(admin: Admin, crd: unknown): Promise<boolean> {
  const spec = field(crd, 'spec');
  const group = String(field(spec, 'group'));
  const plural = String(field(field(spec, 'names'), 'plural'));
  const versions = members(spec, 'versions').filter(({ served }) => served === true);
  for (const { name } of versions) {
    const list = await admin.ask({ path: `/apis/${group}/${String(name)}` }).catch(ignoreNotFound);
    if (!members(list, 'resources').some((resource) => resource['name'] === plural)) return false;
  }
  return true;
}

/** True when the object's status holds a condition of that type which is true. */
export function hasCondition(object: unknown, type: string): boolean {
  return members(field(object, 'status'), 'conditions').some((condition) => condition['type'] === type && condition['status'] === 'True');
}

function ignoreNotFound(error: unknown): undefined {
  if (!isNotFound(error)) throw error;
}

function groupPath(apiVersion: string): string {
  return apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
}

function field(value: unknown, name: string): unknown {
  return isRecord(value) ? value[name] : undefined;
}

function members(value: unknown, name: string): Record<string, unknown>[] {
  const list = field(value, name);
  return Array.isArray(list) ? list.filter(isRecord) : [];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function requireManifest(value: unknown): Manifest {
  const metadata = field(value, 'metadata');
  const named = isRecord(metadata) && typeof metadata['name'] === 'string';
  if (named && typeof field(value, 'apiVersion') === 'string' && typeof field(value, 'kind') === 'string') return value as Manifest;
  throw new TerminalError('BadManifest', 'Cannot apply a manifest: apiVersion, kind or metadata.name is missing');
}
