import type { KubeObject } from '#api/objects.ts';
import { LOCATIONS, NAMESPACES, type Resource, SERVING_LOCATIONS } from '#api/resources.ts';
import { step } from '#e2e/demo/step.ts';
import type { Say } from '#e2e/demo/terminal.ts';
import type { Federation } from '#e2e/federation.ts';
import { objectsOn } from '#e2e/locations/objects-on.ts';
import { contextFields, NETWORK_CONTEXTS, NETWORKS, networkFields } from '#e2e/scenario/project-kinds.ts';
import type { Plane } from '#planes/plane.ts';

/** The project's namespace, and the hub's for it. */
export type ProjectPlace = { name: string; hubName: string };

const CITY_CODE = 'topology.datum.net/city-code';
const NAMESPACE = 'default';
const NETWORK = 'web';

/** The locations are declared, and each cell learns its own from what Karmada delivers to it. */
export async function declareLocations(say: Say, { hub, cells, project }: Declared): Promise<void> {
  const place = (name: string) => ({ resource: LOCATIONS, name });
  await step(say, {
    title: `The locations "${cells[0].name}" and "${cells[1].name}" are declared`,
    act: () =>
      Promise.all(
        cells.map(({ name }) => objectsOn(project.admin).apply(place(name), { spec: { topology: { [CITY_CODE]: name.toUpperCase() } } })),
      ),
    sights: [
      ...cells.map(({ name }) => sight(hub, { resource: SERVING_LOCATIONS, name }, `has the serving location "${name}"`)),
      ...cells.map((cell) => sight(cell, { resource: SERVING_LOCATIONS, name: cell.name }, 'has its own serving location')),
    ],
    never: cells.map((cell, index) => sight(cell, { resource: SERVING_LOCATIONS, name: cells[1 - index]?.name ?? '' }, "has the other's")),
  });
}

/** A network reaches the hub and goes no further; its context reaches the cell of its location and no other. */
export async function declareNetwork(say: Say, { hub, cells: [ams, fra], gateway, project }: Declared): Promise<ProjectPlace> {
  const namespace = (await objectsOn(project.admin).read({ resource: NAMESPACES, name: NAMESPACE })) as KubeObject;
  const place = { name: NAMESPACE, hubName: `ns-${namespace.metadata.uid}` };
  await step(say, {
    title: `The project declares a network "${NETWORK}" in its namespace "${NAMESPACE}"`,
    act: () => objectsOn(project.admin).apply(networkIn(place.name), networkFields()),
    sights: [sight(hub, networkIn(place.hubName), `has it in ${place.hubName}`)],
  });
  await step(say, {
    title: `The project wants "${NETWORK}" at "${ams.name}"`,
    act: () => objectsOn(project.admin).apply(contextIn(place.name, ams), contextFields({ network: NETWORK, location: ams.name })),
    sights: [hub, ams].map((plane) => sight(plane, contextIn(place.hubName, ams), 'has the context')),
    never: [
      ...[fra, gateway].map((plane) => sight(plane, contextIn(place.hubName, ams), 'has the context')),
      sight(ams, networkIn(place.hubName), 'has the network'),
    ],
  });
  return place;
}

/** Without any context a live network stays on the hub: "required nowhere now" is not "deleted". */
export async function removeNetwork(say: Say, { hub, cells: [ams], project }: Declared, place: ProjectPlace): Promise<void> {
  await step(say, {
    title: `"${NETWORK}" is wanted nowhere any more`,
    act: () => objectsOn(project.admin).remove(contextIn(place.name, ams)),
    sights: [hub, ams].map((plane) => gone(plane, contextIn(place.hubName, ams), 'has no context')),
  });
  await step(say, {
    title: 'The network itself is still there; then the project deletes it',
    act: async () => {
      if (!(await objectsOn(hub.admin).read(networkIn(place.hubName)))) throw new Error('The hub has lost a live network');
      await objectsOn(project.admin).remove(networkIn(place.name));
    },
    sights: [gone(hub, networkIn(place.hubName), 'has no network')],
  });
}

/** A federation that has a project. */
export type Declared = Federation & { project: Plane };

type Place = { resource: Resource; namespace?: string; name: string };

const networkIn = (namespace: string): Place => ({ resource: NETWORKS, namespace, name: NETWORK });
const contextIn = (namespace: string, cell: Plane): Place => ({ resource: NETWORK_CONTEXTS, namespace, name: `${NETWORK}-${cell.name}` });

function sight({ name: where, admin }: Plane, place: Place, what: string) {
  return { where, what, look: () => objectsOn(admin).read(place) };
}

function gone({ name: where, admin }: Plane, place: Place, what: string) {
  return { where, what, look: async () => (await objectsOn(admin).read(place)) === undefined };
}
