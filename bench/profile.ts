import { join, resolve } from 'node:path';

/** Where `--profile` writes processor profiles, for a browser's tools. */
export const PROFILES = resolve('bench/results/profiles');

export const isProfiled = process.argv.includes('--profile');

/**
 * Node's flags for a process of the gateway, so that with `--profile` each of its threads writes a
 * profile at the end. A fixed file name would be used by all of them, and only the last profile
 * would remain.
 *
 * @param name the beginning of their folder's name
 */
export function profileFlags(name: string): string[] {
  if (!isProfiled) return [];
  const folder = `${name}-${new Date().toISOString().replaceAll(':', '-')}`;
  return ['--cpu-prof', `--cpu-prof-dir=${join(PROFILES, folder)}`];
}
