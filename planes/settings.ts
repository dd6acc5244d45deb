import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** Where programs may already lie, and where built ones are kept. */
export type ToolSettings = {
  /** Folder of ready programs, as named by `KUBEBUILDER_ASSETS`. */
  assets: string | undefined;
  /** Our own folder below the user's cache. */
  cacheFolder: string;
};

/**
 * Reads the two settings of this folder from the environment.
 * The planes are a tool of developers, not the service, so this one file may look at the environment; it does so only when called.
 * A relative `XDG_CACHE_HOME` is ignored, as the XDG Base Directory Specification asks.
 */
export function readToolSettings(env: NodeJS.ProcessEnv = process.env, home: string = homedir()): ToolSettings {
  const named = env['XDG_CACHE_HOME'];
  const cache = named !== undefined && isAbsolute(named) ? named : join(home, '.cache');
  return { assets: env['KUBEBUILDER_ASSETS'] || undefined, cacheFolder: join(cache, 'fedhub') };
}
