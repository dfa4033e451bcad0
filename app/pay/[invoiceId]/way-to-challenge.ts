import type { PaymentAttempt } from '#server/payments/types.ts';

/**
 * The address to which the card form sends a buyer whose bank requires 3-D Secure. Our policy lets
 * a form posted without script lead only to ourselves: such a buyer gets the page, which has the
 * link.
 *
 * @param publicUrl the address by which browsers know us
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
