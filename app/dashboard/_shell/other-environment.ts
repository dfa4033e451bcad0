import type { Environment } from '#server/merchants/types.ts';

// A place in a list of one environment is none in the other's.
const PLACES = ['after'];

/**
 * The address of the same screen in another environment, its filters kept; from a single thing,
 * which exists in one of them only, the list that it stood in.
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
