import { join, resolve } from 'node:path';

/** Where `--profile` has processor profiles written, for a browser's tools. */
export const PROFILES = resolve('bench/results/profiles');

export const isProfiled = process.argv.includes('--profile');

/**
 * What Node is told where a process of the gateway is started, so that with `--profile` it writes
 * one for each of its threads when it ends: a file named by us is written by all of them, and the
 * last would be what is left.
 *
 * @param name what their folder's name begins with
 */
export function profileFlags(name: string): string[] {
  if (!isProfiled) return [];
  const folder = `${name}-${new Date().toISOString().replaceAll(':', '-')}`;
  return ['--cpu-prof', `--cpu-prof-dir=${join(PROFILES, folder)}`];
}
