import { z } from 'zod';
import { parseDuration } from '#cli/duration.ts';
import { parseListenAddress } from '#cli/listen-address.ts';
import type { ListenAddress } from '#cli/listen-address.ts';

/** The `apiVersion` of the configuration file. */
export const CONFIG_API_VERSION = 'federation.datumapis.com/v1alpha1';
/** The `kind` of the configuration file. */
export const CONFIG_KIND = 'HubConfig';

/** Where one API server is reached. `kubeconfig` is a path; `context` names one in it, else its current one is used. */
export type PlaneConfig = { kubeconfig: string; context?: string };

/** One cell. `location` is used where the cell's own ServingLocations do not decide (contract section 2). */
export type CellConfig = PlaneConfig & { name: string; location?: string };

/** The configuration as the program uses it: every default filled in, paths absolute, durations in milliseconds. */
export type HubConfig = {
  hub: PlaneConfig;
  cells: CellConfig[];
  /** Where `/healthz`, `/readyz`, `/status` and `/metrics` are served. */
  server: { address: ListenAddress };
  log: { level: 'error' | 'warn' | 'info' | 'debug' };
  writeback: {
    /** Between two comparisons of everything, both ways. */
    sweepIntervalMs: number;
    /** Between two looks at a key that waits for something or was refused. */
    retryIntervalMs: number;
    /** The longest silence of a watch before it is given up. API servers send a bookmark about once a minute. */
    idleTimeoutMs: number;
    /** Requests under way at one destination at once. */
    concurrency: number;
  };
};

const duration = (fallback: string) =>
  z
    .string({ error: DURATION_FACT })
    .default(fallback)
    .transform((text, context) => parseDuration(text) ?? refuse(context, DURATION_FACT));
const DURATION_FACT = 'must be a duration with a unit, such as 500ms, 30s or 10m, of at most 24 days';

const address = z
  .string({ error: 'must be host:port' })
  .default('127.0.0.1:8080')
  .transform((text, context) => parseListenAddress(text) ?? refuse(context, 'must be host:port, such as 127.0.0.1:8080 or :8080'));

// Contract section 1: a location has no dots, else two copies could share a name. A cell's name goes into labels and metrics.
const dnsLabel = z.string().regex(/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/, {
  error: 'must be a DNS label: lower-case letters, digits and inner dashes, at most 63 characters',
});

const path = z.string().min(1, { error: 'must name a file' });
const plane = {
  kubeconfig: path.describe('Path of a kubeconfig, from the folder of this file. It is read again whenever it changes.'),
  context: z.string().min(1, { error: 'must name a context' }).exactOptional().describe('A context of it; else its current context.'),
};

const cell = z.strictObject({
  name: dnsLabel.describe('The name in logs, metrics and `/status`. A DNS label, different for each cell.'),
  ...plane,
  location: dnsLabel
    .exactOptional()
    .describe("The location that it serves, where the cell's own ServingLocations do not say. A DNS label, different for each cell."),
});

const writeback = z.strictObject({
  sweepInterval: duration('10m').describe('Between two comparisons of everything, both ways.'),
  retryInterval: duration('30s').describe('Between two looks at what waits for something or was refused.'),
  idleTimeout: duration('90s').describe(
    'The longest silence of a watch before it is made anew. API servers say something about once a minute: less only costs connections.',
  ),
  concurrency: z.int().min(1).max(1000).default(32).describe('Requests under way at one API server at once.'),
});

/** The file's shape. Every object is strict: a misspelt key is a mistake that somebody should hear about. */
export const configSchema = z.strictObject({
  apiVersion: z.literal(CONFIG_API_VERSION),
  kind: z.literal(CONFIG_KIND),
  hub: z.strictObject(plane).describe('The federation hub, where copies are written.'),
  cells: z.array(cell).default([]).describe('The cells, which are only read. Added and taken out while the program runs.'),
  server: z
    .strictObject({
      address: address.describe(
        'Where `/healthz`, `/readyz`, `/status` and `/metrics` are served. `:8080` is every address of the machine.',
      ),
    })
    .prefault({}),
  log: z
    .strictObject({
      level: z.enum(['error', 'warn', 'info', 'debug']).default('info').describe('The least level that is written.'),
    })
    .prefault({}),
  writeback: writeback.prefault({}),
});

function refuse(context: z.RefinementCtx, message: string): never {
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
}
