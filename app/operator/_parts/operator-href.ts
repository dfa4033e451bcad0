const INVOICE = /^\/dashboard\/(sandbox|production)\/(?:invoices|callbacks)\/(inv_\w+)/;

/**
 * Where an operator goes who acts for nobody and asked for a page of the dashboard: from a merchant's
 * link to an invoice to the merchant whose it is.
 */
export function operatorHref(asked: string): string {
  const [, environment, id] = INVOICE.exec(asked) ?? [];
  if (environment === undefined || id === undefined) return '/operator';
  return `/operator/merchants?${new URLSearchParams({ environment, q: id })}`;
}
