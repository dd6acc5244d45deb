import { isDeepStrictEqual } from 'node:util';
import type { EndpointSlice } from '#api/objects.ts';
import { SRV6_SID } from '#api/keys.ts';
import { step } from '#e2e/demo/step.ts';
import type { Say } from '#e2e/demo/terminal.ts';
import { readAtEdge } from '#e2e/edge-reader.ts';
import type { Federation } from '#e2e/federation.ts';
import { slicesOf } from '#e2e/scenario/slices.ts';
import { sourceObject } from '#e2e/scenario/source-object.ts';
import type { Plane } from '#planes/plane.ts';

/** Written by Karmada on what it delivers. */
const KARMADA_TEMPLATE_UID = 'resourcetemplate.karmada.io/uid';
const POD = 'web-0';

/** The story of one slice: it appears in a cell, reaches every gateway, changes, survives an editor, and goes. */
export async function tellSliceStory(say: Say, { hub, cells: [ams, fra], gateway }: Federation, namespace: string): Promise<void> {
  const source = { namespace, name: POD };
  const copy = { namespace, name: `vpc-${ams.name}.${POD}` };
  const members = [ams, fra, gateway];
  const read = (plane: Plane) => slicesOf(plane.admin).read(copy);
  const onEvery = (what: string, holds: (slice: EndpointSlice | undefined) => boolean) =>
    [hub, ...members].map((plane) => ({ where: plane.name, what, look: async () => holds(await read(plane)) }));

  const object = sourceObject(source);
  await step(say, {
    title: `The cell "${ams.name}" gets a slice "${POD}" for a new pod; the edge must read ${route(object)}`,
    act: () => slicesOf(ams.admin).create(object),
    sights: onEvery(`holds ${copy.name}, read by the edge as the source is`, (slice) => sameAtEdge(slice, object)),
  });
  const sid = '2001:db8:beef:2::';
  await step(say, {
    title: `The pod's SRv6 SID changes to ${sid}`,
    act: () => slicesOf(ams.admin).patch(source, { metadata: { annotations: { [SRV6_SID]: sid } } }),
    sights: onEvery(`holds the new SID`, (slice) => slice?.metadata.annotations?.[SRV6_SID] === sid),
  });
  const deleted = (await read(hub))?.metadata.uid;
  await step(say, {
    title: 'Somebody deletes the copy on the hub by hand',
    act: () => slicesOf(hub.admin).delete(copy),
    sights: onEvery('holds a new one', (slice) => slice !== undefined && hubUid(slice) !== deleted),
  });
  await step(say, {
    title: `The pod goes, and its slice with it`,
    act: () => slicesOf(ams.admin).delete(source),
    sights: onEvery('holds it no more', (slice) => slice === undefined),
  });
}

/** The UID of the hub's copy behind a delivered one; of the hub's copy itself. */
function hubUid({ metadata }: EndpointSlice): string | undefined {
  return metadata.annotations?.[KARMADA_TEMPLATE_UID] ?? metadata.uid;
}

function sameAtEdge(slice: EndpointSlice | undefined, source: EndpointSlice): boolean {
  return slice !== undefined && isDeepStrictEqual(readAtEdge(slice), readAtEdge(source));
}

function route(slice: EndpointSlice): string {
  const reading = readAtEdge(slice);
  return reading.kind === 'route' ? `${reading.prefix} via ${reading.sid}` : reading.kind;
}
