import { foldTyped } from './typed-text.ts';

// RFC 5321; acquirers send receipts to no address outside ASCII.
const MAX_EMAIL_LENGTH = 254;
const EMAIL = /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-z0-9-]+(?:\.[a-z0-9-]+)+$/i;

/** The address to which a receipt can be sent, from what the buyer typed; null for what is none. */
export function buyerEmailOf(typed: string): string | null {
  const address = foldTyped(typed).trim();
  return address.length <= MAX_EMAIL_LENGTH && EMAIL.test(address) ? address : null;
}
