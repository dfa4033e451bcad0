const START = '/dashboard';

// A file is saved to the disk and leaves the page in place.
const FILE = /\/export$/;

/**
 * The path that a sign-in leads back to: only ever a staff page, whatever the address says; for a
 * file, its list.
 *
 * @returns a path that a header can hold: all other characters are percent-encoded
 */
export function safeReturnPath(next: unknown): string {
  const isOurs =
    typeof next === 'string' &&
    /^\/(operator|dashboard\/(sandbox|production))(\/(?!\.)[\w.-]*)*(\?[^#\\]*)?$/.test(next) &&
    !next.includes('//');
  if (!isOurs) return START;
  const { pathname, search } = new URL(next, 'http://n');
  return pathname.replace(FILE, '') + search;
}

/**
 * The same after a provider's refusal, which comes back without the path: next-auth keeps it in a
 * cookie.
 *
 * @param cookies by name
 */
export function keptReturnPath(cookies: Record<string, string>): string {
  const name = 'next-auth.callback-url';
  const kept = cookies[`__Secure-${name}`] ?? cookies[name] ?? '';
  if (!URL.canParse(kept)) return START;
  const { pathname, search } = new URL(kept);
  return safeReturnPath(pathname + search);
}
