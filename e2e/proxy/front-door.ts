import { connect, createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';

/**
 * What becomes of connections.
 * `refuse`: each new one is reset at once, before TLS. The port stays ours, which a closed listener could not promise.
 * `swallow`: each new one is accepted and nothing crosses, either way, nor does it ever end.
 */
export type DoorMode = 'open' | 'refuse' | 'swallow';

type Pair = { outer: Socket; inner: Socket };

/** Carries bytes between clients and one port on this machine, and can stop doing so in the ways in which networks do. */
export class FrontDoor {
  readonly #server: Server;
  readonly #innerPort: number;
  readonly #pairs = new Set<Pair>();
  readonly #silent = new Set<Partial<Pair>>();
  #mode: DoorMode = 'open';

  constructor(innerPort: number) {
    this.#innerPort = innerPort;
    this.#server = createServer((outer) => this.#admit(outer));
  }

  /** Starts to accept, on a free port, which it returns. */
  async listen(): Promise<number> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return (this.#server.address() as AddressInfo).port;
  }

  /** Connections that cross right now. */
  get open(): number {
    return this.#pairs.size;
  }

  /** Connections that have been swallowed so far. */
  get silent(): number {
    return this.#silent.size;
  }

  /** Decides about new connections. Those that there are go on. */
  setMode(mode: DoorMode): void {
    this.#mode = mode;
  }

  /** Ends every connection with a reset, or the one whose far end has this port. */
  cut(innerPort?: number): void {
    for (const { outer, inner } of this.#pairs) {
      if (innerPort !== undefined && inner.localPort !== innerPort) continue;
      outer.resetAndDestroy();
      inner.destroy();
    }
  }

  /**
   * Stops to carry on every connection that there is, without an end in either direction, as when a firewall forgets them.
   * They stay so for good: what the network has forgotten does not come back.
   */
  swallow(): void {
    for (const pair of this.#pairs) {
      pair.outer.unpipe(pair.inner).pause();
      pair.inner.unpipe(pair.outer).pause();
      this.#silent.add(pair);
    }
    this.#pairs.clear();
  }

  /** Ends everything, swallowed connections too. */
  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.cut();
    for (const { outer, inner } of this.#silent) {
      outer?.destroy();
      inner?.destroy();
    }
    await closed;
  }

  #admit(outer: Socket): void {
    outer.on('error', () => outer.destroy());
    if (this.#mode === 'refuse') return void outer.resetAndDestroy();
    if (this.#mode === 'swallow') return void this.#silent.add({ outer: outer.pause() });
    this.#carry(outer);
  }

  #carry(outer: Socket): void {
    const inner = connect(this.#innerPort, '127.0.0.1');
    const pair = { outer, inner };
    this.#pairs.add(pair);
    inner.on('error', () => outer.resetAndDestroy());
    // Soon: what has been read from the server is written to the client first.
    inner.on('close', () => outer.destroySoon());
    outer.on('close', () => {
      this.#pairs.delete(pair);
      inner.destroy();
    });
    outer.pipe(inner);
    inner.pipe(outer);
  }
}
