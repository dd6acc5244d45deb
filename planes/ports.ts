import { createServer } from 'node:net';
import type { Server } from 'node:net';
import { TerminalError } from '#kube/errors.ts';

/** Hands out ports on 127.0.0.1 that stay ours until `release`, also while nothing listens on them: a restarted server gets its port again. */
export type PortRange = { next(): Promise<number>; release(): Promise<void> };

/**
 * Below 32768, where Linux begins to take the ports of outgoing connections: one of those could sit on the port of a server that is being restarted.
 */
const FIRST = 20_000;
const LAST = 32_000;
/** Enough for a hub with Karmada and twenty cells; then the next block is claimed. */
const BLOCK = 100;

/**
 * Starts with no port claimed. A block of ports is claimed by listening on its first one, so the kernel keeps runs apart
 * and frees the block however the run ends.
 */
export function createPortRange(): PortRange {
  const guards: Server[] = [];
  let free: number[] = [];
  return {
    async next() {
      for (;;) {
        const port = free.shift();
        if (port === undefined) free = await claimBlock(guards);
        else if (await isFree(port)) return port;
      }
    },
    async release() {
      free = [];
      await Promise.all(guards.splice(0).map(close));
    },
  };
}

async function claimBlock(guards: Server[]): Promise<number[]> {
  const blocks = Array.from({ length: (LAST - FIRST) / BLOCK }, (_, index) => FIRST + index * BLOCK);
  // A different start for each process: two runs rarely try for the same block.
  const start = process.pid % blocks.length;
  for (const base of [...blocks.slice(start), ...blocks.slice(0, start)]) {
    const guard = await listen(base);
    if (guard === undefined) continue;
    guards.push(guard.unref());
    return Array.from({ length: BLOCK - 1 }, (_, index) => base + 1 + index);
  }
  throw new TerminalError('NoPorts', `Cannot claim ports on 127.0.0.1: all blocks between ${FIRST} and ${LAST} are taken`);
}

/** Another program, or what a killed run has left, may sit inside our block. */
async function isFree(port: number): Promise<boolean> {
  const server = await listen(port);
  if (server !== undefined) await close(server);
  return server !== undefined;
}

function listen(port: number): Promise<Server | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(undefined));
    server.listen({ host: '127.0.0.1', port, exclusive: true }, () => resolve(server));
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}
