import type { PaymentAttempt } from '#server/payments/types.ts';

/**
 * Where the answer to the card form sends a buyer whose bank asks for 3-D Secure. A form that was
 * posted without script cannot be answered by somebody else's address, for our policy lets it go to
 * ourselves only: such a buyer gets the page, which has the link.
 *
 * @param publicUrl the address that browsers know us by
 */
export function wayToChallenge(
  { invoiceId, challengeUrl }: Pick<PaymentAttempt, 'invoiceId' | 'challengeUrl'>,
  { scripted, publicUrl }: { scripted: boolean; publicUrl: string },
): string {
  const page = `/pay/${invoiceId}`;
  if (!challengeUrl) return page;
  const { origin, pathname, search } = new URL(challengeUrl);
  if (origin === new URL(publicUrl).origin) return pathname + search;
  return scripted ? challengeUrl : page;
}
