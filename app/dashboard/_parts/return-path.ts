const START = '/dashboard';

/** Where a sign-in leads back to: only ever into the dashboard, whatever the address says. */
export function safeReturnPath(next: unknown): string {
  const isOurs =
    typeof next === 'string' &&
    /^\/dashboard\/(sandbox|production)(\/[\w./-]*)?(\?[^#\\]*)?$/.test(next) &&
    !next.includes('//');
  return isOurs ? next : START;
}
