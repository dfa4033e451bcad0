import { settings } from '../settings/settings.ts';

/** The page of an invoice; the id makes it unguessable. */
export function invoiceUrl(invoiceId: string): string {
  return `${settings().publicUrl}/pay/${invoiceId}`;
}

/** The address to which an acquirer sends the buyer back after a challenge. */
export function returnUrl(invoiceId: string, attemptId: string): string {
  return `${invoiceUrl(invoiceId)}/return?attempt=${attemptId}`;
}

/** The receipt of a paid invoice. */
export function receiptUrl(invoiceId: string): string {
  return `${invoiceUrl(invoiceId)}/receipt`;
}

/** The path at which an acquirer calls for an account. */
export function hookPath({ provider, id }: { provider: string; id: string }): string {
  return `/api/acquirers/${provider}/${id}`;
}

/** The full address of the hook, as the acquirer is given it. */
export function hookUrl(account: { provider: string; id: string }): string {
  return settings().publicUrl + hookPath(account);
}
