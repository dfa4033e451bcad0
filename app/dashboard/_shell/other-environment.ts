import type { Environment } from '#server/merchants/types.ts';

// A place in one environment's list does not exist in the other's.
const PLACES = ['after'];

/**
 * The address of the same screen in another environment, with its filters; a single thing exists in
 * only one of them, so its list takes its place.
 */
export function inEnvironment(
  environment: Environment,
  { path, search }: { path: string; search: string },
): string {
  const segments = path.split('/').slice(3);
  const thing = segments.findIndex((segment) => /^[a-z]+_/.test(segment));
  const screen = thing === -1 ? segments : segments.slice(0, thing);
  const filters = new URLSearchParams(thing === -1 ? search : '');
  for (const name of PLACES) filters.delete(name);
  const query = filters.size > 0 ? `?${filters}` : '';
  return ['/dashboard', environment, ...screen].join('/') + query;
}
