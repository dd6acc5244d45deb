import type { Clock } from '#kube/clock.ts';
import type { Gate } from '#kube/gate.ts';
import type { Transport } from '#kube/transport.ts';

/** One API server, as every function of this folder takes it. Name the variable for its side: `hub`, `cell`, `project`. */
export type Client = {
  /** The cluster's name in logs, errors and metrics: `hub`, or the cell's name. */
  cluster: string;
  transport: Transport;
  /** Bounds what is under way at this server, and holds everything back while the server asks for it. */
  gate: Gate;
  clock: Clock;
  /** Uniform in [0, 1): jitter. Seeded in simulations. */
  random: () => number;
};
