const START = '/dashboard';

/** Where a sign-in leads back to: only ever to staff's own pages, whatever the address says. */
export function safeReturnPath(next: unknown): string {
  const isOurs =
    typeof next === 'string' &&
    /^\/(operator|dashboard\/(sandbox|production))(\/[\w./-]*)?(\?[^#\\]*)?$/.test(next) &&
    !next.includes('//');
  return isOurs ? next : START;
}
