const INVOICE = /^\/dashboard\/(sandbox|production)\/(?:invoices|callbacks)\/(inv_\w+)/;

/**
 * The address for an operator who acts for nobody and asked for a dashboard page: a link to a
 * merchant's page becomes a link to that merchant.
 */
export function operatorHref(asked: string): string {
  const [, environment, id] = INVOICE.exec(asked) ?? [];
  if (environment === undefined || id === undefined) return '/operator';
  return `/operator/merchants?${new URLSearchParams({ environment, q: id })}`;
}
