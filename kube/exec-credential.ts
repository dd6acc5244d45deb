import { execFile } from 'node:child_process';
import type { ExecConfig } from '#kube/exec-config.ts';
import { isRecord } from '#kube/objects.ts';

/** What a credential program answered. */
export type ExecCredential = {
  token: string | undefined;
  certificate: string | undefined;
  key: string | undefined;
  /** By the wall clock; undefined when it did not say. */
  expiresMs: number | undefined;
};

/**
 * Runs a credential program (client.authentication.k8s.io) and reads its answer. Killed after 30 s: a program that hangs must
 * not hold up every request.
 * @throws {Error} naming the program and the fact, never what it wrote.
 */
export function runExecPlugin(config: ExecConfig, options: { environment: Environment; cluster: unknown }): Promise<ExecCredential> {
  const info = {
    apiVersion: config.apiVersion,
    kind: 'ExecCredential',
    spec: { interactive: false, ...(config.provideClusterInfo && { cluster: options.cluster }) },
  };
  const env = { ...options.environment, ...config.env, KUBERNETES_EXEC_INFO: JSON.stringify(info) };
  return new Promise((resolve, reject) => {
    const child = execFile(
      config.command,
      config.args,
      { env, timeout: LONGEST_RUN_MS, killSignal: 'SIGKILL', maxBuffer: 1024 * 1024 },
      (error, stdout) => {
        const credential = error === null ? readCredential(stdout) : undefined;
        if (credential !== undefined) resolve(credential);
        else reject(new Error(`Cannot execute "${config.command}": ${factOf(error)}`));
      },
    );
    child.stdin?.end();
  });
}

/** Environment variables, as `process.env` holds them. */
export type Environment = Readonly<Record<string, string | undefined>>;

const LONGEST_RUN_MS = 30_000;

function readCredential(stdout: string): ExecCredential | undefined {
  const status = statusOf(stdout);
  const text = (key: string) => (typeof status?.[key] === 'string' && status[key] !== '' ? status[key] : undefined);
  const credential = { token: text('token'), certificate: text('clientCertificateData'), key: text('clientKeyData') };
  if (credential.token === undefined && credential.certificate === undefined) return undefined;
  const expiresMs = Date.parse(text('expirationTimestamp') ?? '');
  return { ...credential, expiresMs: Number.isNaN(expiresMs) ? undefined : expiresMs };
}

function statusOf(stdout: string): Record<string, unknown> | undefined {
  try {
    const answer: unknown = JSON.parse(stdout);
    return isRecord(answer) && isRecord(answer['status']) ? answer['status'] : undefined;
  } catch {
    return undefined;
  }
}

function factOf(error: { killed?: boolean | undefined; code?: string | number | null | undefined } | null): string {
  if (error === null) return 'its answer is no credential';
  if (error.killed === true) return `no answer within ${LONGEST_RUN_MS} ms`;
  return typeof error.code === 'number' ? `exit code ${error.code}` : String(error.code ?? 'ended by a signal');
}
