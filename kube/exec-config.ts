import { resolve } from 'node:path';
import { isRecord } from '#kube/objects.ts';

/** The `exec` part of a kubeconfig's user: the program that makes credentials. */
export type ExecConfig = {
  apiVersion: string;
  /** A bare name is looked for in PATH; a relative path is meant from the kubeconfig's folder. */
  command: string;
  args: string[];
  env: Record<string, string>;
  /** Whether the program wants to know which cluster it is for. */
  provideClusterInfo: boolean;
};

/** Reads the `exec` part; answers with what is wrong with it when it cannot be used. */
export function readExec(exec: unknown, folder: string): ExecConfig | string {
  if (!isRecord(exec) || typeof exec['command'] !== 'string' || exec['command'] === '') return 'names no command to execute';
  const { apiVersion, command, args, env, provideClusterInfo } = exec;
  if (typeof apiVersion !== 'string' || !VERSIONS.has(apiVersion)) return 'uses an unknown apiVersion for its command';
  return {
    apiVersion,
    command: command.includes('/') ? resolve(folder, command) : command,
    args: Array.isArray(args) ? args.map(String) : [],
    env: Array.isArray(env) ? Object.fromEntries(env.filter(isRecord).map((entry) => [String(entry['name']), String(entry['value'])])) : {},
    provideClusterInfo: provideClusterInfo === true,
  };
}

const VERSIONS = new Set(['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1']);
