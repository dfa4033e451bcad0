/**
 * The address of a challenge, made absolute.
 *
 * @param url as the acquirer gave it; relative where it is a page of ours
 * @param returnUrl the address to which the buyer comes back
 * @returns null for what is neither of https nor a page of ours: nobody is sent there
 */
export function challengeUrlOf(url: string, returnUrl: string): string | null {
  if (!URL.canParse(url, returnUrl)) return null;
  const address = new URL(url, returnUrl);
  const isOurs = address.origin === new URL(returnUrl).origin;
  return isOurs || address.protocol === 'https:' ? address.href : null;
}
