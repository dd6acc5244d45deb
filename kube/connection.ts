import { resolve } from 'node:path';
import type { Clock } from '#kube/clock.ts';
import { Credentials } from '#kube/credentials.ts';
import type { Identity } from '#kube/credentials.ts';
import { makeDispatchers } from '#kube/dispatchers.ts';
import type { Dispatchers } from '#kube/dispatchers.ts';
import type { Environment } from '#kube/exec-credential.ts';
import { FreshFile } from '#kube/fresh-file.ts';
import { parseKubeconfig } from '#kube/kubeconfig.ts';
import type { Kubeconfig } from '#kube/kubeconfig.ts';
import type { Log } from '#kube/log.ts';

/** How one request gets to the server. */
export type Link = Dispatchers & { origin: string; pathPrefix: string; headers: Record<string, string> };

/** What a connection is made from. */
export type ConnectionOptions = {
  kubeconfig: string;
  context?: string | undefined;
  environment: Environment;
  connections: number;
  clock: Clock;
  log: Log;
};

/**
 * The way to one API server, kept up while kubeconfig, tokens and certificates change.
 * New connections are made before old ones are let go: requests and watches under way end in their own time.
 */
export class Connection {
  readonly #options: ConnectionOptions;
  readonly #file: FreshFile<Kubeconfig>;
  #config: Kubeconfig | undefined;
  #credentials: Credentials | undefined;
  #bound: Bound | undefined;
  /** What could not be used, so that it is tried and reported once. */
  #refused: Pick<Bound, 'config' | 'identity'> | undefined;
  readonly #leaving = new Set<Dispatchers>();

  constructor(options: ConnectionOptions) {
    this.#options = options;
    const file = resolve(options.kubeconfig);
    const parse = (text: string) => parseKubeconfig(text, { file, context: options.context });
    this.#file = new FreshFile({ file, parse, clock: options.clock, log: options.log });
  }

  /** @throws {TerminalError} `Kubeconfig` while no good kubeconfig has been read; {Error} while credentials have never been readable. */
  async link(): Promise<Link> {
    const config = await this.#file.get();
    if (config !== this.#config || this.#credentials === undefined) {
      this.#config = config;
      this.#credentials = new Credentials({ ...this.#options, config });
    }
    const identity = await this.#credentials.get();
    const { dispatchers, config: bound } = this.#bind(config, identity);
    const url = new URL(bound.server);
    return { ...dispatchers, origin: url.origin, pathPrefix: url.pathname.replace(/\/+$/, ''), headers: identity.headers };
  }

  /** After a 401 over `used`: reads everything now. True when that makes a difference, so that asking again is worth it. */
  async renew(used: Link): Promise<boolean> {
    if (!sameLink(used, await this.link())) return true;
    await this.#file.renew();
    await this.#credentials?.renew();
    return !sameLink(used, await this.link());
  }

  /** Takes new connections from now on, since one of `used` fell silent; what still runs on the old ones ends in its own time. */
  distrust(used: Link): void {
    const silent = this.#bound;
    if (silent === undefined || silent.dispatchers.requests !== used.requests) return;
    const { config, identity } = silent;
    this.#bound = { config, identity, dispatchers: makeDispatchers(config, identity, this.#options) };
    void this.#letGo(silent.dispatchers);
  }

  /** Ends every connection at once. */
  async close(): Promise<void> {
    const all = this.#bound === undefined ? [...this.#leaving] : [...this.#leaving, this.#bound.dispatchers];
    await Promise.all(all.flatMap(({ requests, watches }) => [requests.destroy(), watches.destroy()]));
  }

  #bind(config: Kubeconfig, identity: Identity): Bound {
    const old = this.#bound;
    if (old !== undefined && (isMadeOf(old, config, identity) || isMadeOf(this.#refused, config, identity))) return old;
    try {
      this.#bound = { config, identity, dispatchers: makeDispatchers(config, identity, this.#options) };
    } catch (error) {
      if (old === undefined) throw error;
      // A certificate is seen before its key while both are being replaced: the next look finds both.
      this.#options.log.warn({ err: error }, 'Bad certificates, the last good ones stay in use');
      this.#refused = { config, identity };
      return old;
    }
    if (old !== undefined) void this.#letGo(old.dispatchers);
    return this.#bound;
  }

  /** Ends idle connections now, and the others as soon as what runs on them has ended. */
  async #letGo(dispatchers: Dispatchers): Promise<void> {
    this.#leaving.add(dispatchers);
    await Promise.allSettled([dispatchers.requests.close(), dispatchers.watches.close()]);
    this.#leaving.delete(dispatchers);
  }
}

type Bound = { config: Kubeconfig; identity: Identity; dispatchers: Dispatchers };

function isMadeOf(made: Pick<Bound, 'config' | 'identity'> | undefined, config: Kubeconfig, identity: Identity): boolean {
  if (made === undefined || made.config !== config) return false;
  return made.identity.ca === identity.ca && made.identity.certificate === identity.certificate && made.identity.key === identity.key;
}

function sameLink(one: Link, other: Link): boolean {
  return one.requests === other.requests && one.headers['authorization'] === other.headers['authorization'];
}
