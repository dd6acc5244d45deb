import { isDeepStrictEqual } from 'node:util';
import type { HubConfig } from '#cli/hub-config.ts';

/** Every part of the configuration that is read at start only: sockets, the log and the engines are built from them once. */
const READ_AT_START = ['roles', 'hub', 'locations', 'server', 'log', 'writeback', 'replicator'] as const;

/** The parts that differ between two configurations and that take effect only at the next start. Cells and projects are never among them. */
export function partsNeedingRestart(inForce: HubConfig, next: HubConfig): string[] {
  return READ_AT_START.filter((part) => !isDeepStrictEqual(inForce[part], next[part]));
}
