import { resolve } from 'node:path';

/** Where `--profile` has processor profiles written, for a browser's tools. */
export const PROFILES = resolve('bench/results/profiles');

export const isProfiled = process.argv.includes('--profile');

/**
 * What Node is told where a process of the gateway is started, so that with `--profile` it writes one
 * when it ends.
 *
 * @param name what the file's name begins with
 */
export function profileFlags(name: string): string[] {
  if (!isProfiled) return [];
  const file = `${name}-${new Date().toISOString().replaceAll(':', '-')}.cpuprofile`;
  return ['--cpu-prof', `--cpu-prof-dir=${PROFILES}`, `--cpu-prof-name=${file}`];
}
