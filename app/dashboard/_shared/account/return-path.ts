const START = '/dashboard';

// A file comes to the disk and leaves the page that asked for it where it was.
const FILE = /\/export$/;

/**
 * Where a sign-in leads back to: only ever to staff's own pages, whatever the address says; to the
 * list where a file of it was asked for.
 *
 * @returns a path that a header can hold: all else is percent-encoded
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
 * The same after a provider's refusal, which comes back without it: next-auth keeps, in a cookie
 * of the browser's, where the sign-in was to lead.
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
