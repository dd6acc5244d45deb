import type { Clock } from '#kube/clock.ts';
import { ExecCredentials } from '#kube/exec-credentials.ts';
import type { Environment, ExecCredential } from '#kube/exec-credential.ts';
import { FreshFile } from '#kube/fresh-file.ts';
import type { Kubeconfig, Material } from '#kube/kubeconfig.ts';
import type { Log } from '#kube/log.ts';

/** What is shown to the server: headers with each request, a certificate with each connection. */
export type Identity = {
  headers: Record<string, string>;
  ca: string | undefined;
  certificate: string | undefined;
  key: string | undefined;
};

/** Everything secret that a kubeconfig names, read again as it changes. */
export class Credentials {
  readonly #config: Kubeconfig;
  readonly #token: Source;
  readonly #ca: Source;
  readonly #certificate: Source;
  readonly #key: Source;
  readonly #exec: ExecCredentials | undefined;

  constructor(options: { config: Kubeconfig; environment: Environment; clock: Clock; log: Log }) {
    const { config, environment, clock, log } = options;
    const source = (material: Material | undefined, parse: (text: string) => string) => sourceOf(material, { parse, clock, log });
    this.#config = config;
    this.#token = source(config.token, readToken);
    this.#ca = source(config.ca, readPem);
    this.#certificate = source(config.certificate, readPem);
    this.#key = source(config.key, readPem);
    this.#exec = config.exec && new ExecCredentials({ config: config.exec, environment, cluster: clusterInfo(config), clock, log });
  }

  /** @throws {Error} when something that is needed has never been readable; the message names the file or program. */
  async get(): Promise<Identity> {
    const made = await this.#exec?.get();
    return {
      headers: this.#headers(made, await this.#token?.get()),
      ca: await this.#ca?.get(),
      certificate: made?.certificate ?? (await this.#certificate?.get()),
      key: made?.key ?? (await this.#key?.get()),
    };
  }

  /** Reads everything now. */
  async renew(): Promise<void> {
    const sources = [this.#exec, this.#token, this.#ca, this.#certificate, this.#key].filter((source) => source !== undefined);
    await Promise.all(sources.map((source) => source.renew()));
  }

  #headers(made: ExecCredential | undefined, token: string | undefined): Record<string, string> {
    const { basic, impersonate } = this.#config;
    const bearer = made?.token ?? token;
    return {
      ...(basic && { authorization: `Basic ${Buffer.from(`${basic.username}:${basic.password}`).toString('base64')}` }),
      ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
      ...(impersonate !== undefined && { 'impersonate-user': impersonate }),
    };
  }
}

type Source = { get(): Promise<string>; renew(): Promise<void> } | undefined;

function sourceOf(material: Material | undefined, options: { parse: (text: string) => string; clock: Clock; log: Log }): Source {
  if (material === undefined) return undefined;
  if ('file' in material) return new FreshFile({ file: material.file, ...options });
  return { get: async () => material.text.trim(), renew: async () => {} };
}

/** A token goes into a header: white space within one is a sign of something else. */
function readToken(text: string): string {
  const token = text.trim();
  if (token === '') throw new Error('it is empty');
  if (!/^[\x21-\x7e]+$/.test(token)) throw new Error('it holds no token');
  return token;
}

function readPem(text: string): string {
  if (!text.includes('-----BEGIN ')) throw new Error('it is not PEM');
  return text.trim();
}

/** For a program that asks which cluster it makes credentials for. */
function clusterInfo({ server, tlsServerName, insecureSkipTlsVerify }: Kubeconfig): unknown {
  return {
    server,
    ...(tlsServerName !== undefined && { 'tls-server-name': tlsServerName }),
    'insecure-skip-tls-verify': insecureSkipTlsVerify,
  };
}
