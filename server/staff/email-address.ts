import { domainToASCII, domainToUnicode } from 'node:url';
import { GatewayError } from '../lib/errors.ts';
import { foldCase, storablePart } from '../lib/typed-text.ts';

// RFC 5321.
export const MAX_EMAIL_LENGTH = 254;

// Within that length; only an e-mail shows whether the address exists. RFC 5322's specials could
// turn it into a list, or into a name with another address.
const EMAIL = /^[^\s@\p{Cc},;:<>()[\]"\\]{1,64}@[^\s@\p{Cc},;:<>()[\]"\\]{1,189}$/u;

// No characters with a meaning in a URL, because Node converts it as one. Joiners occur in Persian
// and Indian names.
const CONVERTIBLE = /^[\p{L}\p{M}\p{Nd}\p{Join_Control}.-]+$/u;

const PRINTABLE = /^[\x21-\x7e]+$/;

/**
 * The two spellings of an address whose domain has non-ASCII letters (RFC 5890): people know
 * `kim@пример.рф`, some browsers submit `kim@xn--e1afmkfd.xn--p1ai`. All other addresses have only
 * one.
 */
function spellings(address: string): { unicode: string; ascii: string } {
  // No account can have it, and conversion time grows with the square of the length.
  if (address.length > MAX_EMAIL_LENGTH) return { unicode: address, ascii: address };
  const at = address.lastIndexOf('@') + 1;
  const domain = address.slice(at);
  const isNational =
    (!PRINTABLE.test(domain) || /(^|\.)xn--/.test(domain)) && CONVERTIBLE.test(domain);
  const ascii = isNational ? domainToASCII(domain) : '';
  if (ascii === '') return { unicode: address, ascii: address };
  const name = address.slice(0, at);
  return { unicode: name + domainToUnicode(ascii), ascii: name + ascii };
}

/** The stored form of a typed address of an account: its domain as people write it. */
export function accountEmail(typed: string): string {
  return spellings(foldCase(storablePart(typed))).unicode;
}

/**
 * The same form for an address from a provider. Nobody typed it, so it is not folded: the folded
 * text can be another mailbox.
 */
export function vouchedEmail(claimed: string): string {
  return spellings(storablePart(claimed).trim().toLowerCase()).unicode;
}

/**
 * The same form for a new address.
 *
 * @throws GatewayError `validation` for an invalid one
 */
export function normaliseEmail(email: string): string {
  const typed = foldCase(email);
  const { unicode, ascii } = spellings(typed);
  const domain = ascii.slice(ascii.lastIndexOf('@') + 1);
  if (!EMAIL.test(typed) || !EMAIL.test(ascii) || !PRINTABLE.test(domain)) {
    throw new GatewayError('email_invalid', { email });
  }
  // Some browsers' sign-in pages refuse such addresses, and so do most mail servers.
  if (!PRINTABLE.test(ascii)) {
    throw new GatewayError('email_unusual', { email });
  }
  return unicode;
}
