import { writeFileSync } from 'node:fs';

/** What a generated configuration says; the rest is left to the service's defaults. */
export type GeneratedConfig = {
  hub: { kubeconfig: string };
  cells: { name: string; kubeconfig: string; location?: string; paused?: boolean }[];
  /** Fields of `writeback`: `{ sweepInterval: '1s' }`. */
  writeback?: Record<string, unknown>;
  projects?: { name: string; kubeconfig: string }[];
  projectsFrom?: { directory: string };
  /** The plane that Locations are declared on. */
  locations?: { kubeconfig: string };
  /** Fields of `replicator`. */
  replicator?: Record<string, unknown>;
  /** Fields of `log`; everything is logged unless said otherwise. */
  log?: Record<string, unknown>;
};

/** Writes a HubConfig file and returns it. JSON is YAML. The endpoints listen on a port of the machine's choice. */
export function writeHubConfig(file: string, { hub, cells, writeback = {}, ...more }: GeneratedConfig): string {
  const config = {
    apiVersion: 'federation.datumapis.com/v1alpha1',
    kind: 'HubConfig',
    hub,
    cells,
    server: { address: '127.0.0.1:0' },
    log: { level: 'debug' },
    writeback,
    ...more,
  };
  writeFileSync(file, `${JSON.stringify(config, null, 2)}\n`);
  return file;
}
