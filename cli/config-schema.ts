import { z } from 'zod';
import { address, dnsLabel, pace, plane, projectName } from '#cli/config-fields.ts';
import { ROLES } from '#cli/hub-config.ts';
import { kindSchema } from '#cli/kind-schema.ts';

/** The `apiVersion` of the configuration file. */
export const CONFIG_API_VERSION = 'federation.datumapis.com/v1alpha1';
/** The `kind` of the configuration file. */
export const CONFIG_KIND = 'HubConfig';

const roles = z
  .array(z.enum(ROLES))
  .min(1, { error: 'must name a role' })
  .default([...ROLES])
  .describe(
    'What this process does: `writeback` (cells to hub), `replicator` (projects to hub), `policies` (locations to policies). A role without planes does nothing.',
  );

const cell = z.strictObject({
  name: dnsLabel.describe('The name in logs, metrics and `/status`. A DNS label, different for each cell.'),
  ...plane,
  paused: z
    .boolean()
    .exactOptional()
    .describe('While true the cell is observed and reported, and its copies stay as they are: none is made, changed or withdrawn.'),
  location: dnsLabel
    .exactOptional()
    .describe("The location that it serves, where the cell's own ServingLocations do not say. A DNS label, different for each cell."),
});

const project = z.strictObject({
  name: projectName.describe('The name that its copies are labelled with: path segments as in `org/p`, different with `/` as `_` too.'),
  ...plane,
});

const projectsFrom = z.strictObject({
  directory: z
    .string()
    .min(1, { error: 'must name a folder' })
    .describe('A folder, looked at every second: a kubeconfig in `org_p.yaml` is project `org/p`. Other files are passed over.'),
});

const replicator = z.strictObject({
  kinds: z
    .array(kindSchema)
    .min(1, { error: 'must name a kind' })
    .exactOptional()
    .describe('What is replicated; else Network, NetworkContext and Subnet of `networking.datumapis.com/v1alpha`.'),
  ...pace,
});

const server = z.strictObject({
  address: address.describe('Where `/healthz`, `/readyz`, `/status` and `/metrics` are served. `:8080` is every address of the machine.'),
});

const log = z.strictObject({
  level: z.enum(['error', 'warn', 'info', 'debug']).default('info').describe('The least level that is written.'),
});

/** The file's shape. Every object is strict: a misspelt key is a mistake that somebody should hear about. */
export const configSchema = z.strictObject({
  apiVersion: z.literal(CONFIG_API_VERSION),
  kind: z.literal(CONFIG_KIND),
  roles,
  hub: z.strictObject(plane).describe('The federation hub, where copies are written.'),
  cells: z.array(cell).default([]).describe('The cells, which are only read. Added and taken out while the program runs.'),
  projects: z.array(project).default([]).describe('The projects, which are only read. Added and taken out while the program runs.'),
  projectsFrom: projectsFrom.exactOptional().describe('More projects, found while the program runs.'),
  locations: z
    .strictObject(plane)
    .exactOptional()
    .describe('The plane that Locations are declared on. Serving locations and policies are generated from them.'),
  server: server.prefault({}),
  log: log.prefault({}),
  writeback: z.strictObject(pace).prefault({}),
  replicator: replicator.prefault({}),
});
