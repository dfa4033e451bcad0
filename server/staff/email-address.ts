import { domainToASCII, domainToUnicode } from 'node:url';
import { GatewayError } from '../lib/errors.ts';
import { foldCase, storablePart } from '../lib/typed-text.ts';

// RFC 5321.
export const MAX_EMAIL_LENGTH = 254;

// Of that length at most; whether it exists only an e-mail tells. What RFC 5322 calls specials could
// make a list of it, or a name with another address behind.
const EMAIL = /^[^\s@\p{Cc},;:<>()[\]"\\]{1,64}@[^\s@\p{Cc},;:<>()[\]"\\]{1,189}$/u;

// Nothing that has a meaning in a URL, as which node reads what it converts. Joiners are part of
// Persian and Indian names.
const CONVERTIBLE = /^[\p{L}\p{M}\p{Nd}\p{Join_Control}.-]+$/u;

const PRINTABLE = /^[\x21-\x7e]+$/;

/**
 * The two spellings of an address whose domain has other letters than those of ASCII (RFC 5890):
 * people know `kim@пример.рф`, some browsers hand over `kim@xn--e1afmkfd.xn--p1ai`. Both the same
 * for all others.
 */
function spellings(address: string): { unicode: string; ascii: string } {
  // No account can have it, and converting takes a time that grows with the square of the length.
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

/** An address that somebody names an account by, as accounts have it: its domain as people write it. */
export function accountEmail(typed: string): string {
  return spellings(foldCase(storablePart(typed))).unicode;
}

/**
 * The same form of an address that a provider vouches for. Nobody has typed it: what folds to an
 * account's address can be another mailbox.
 */
export function vouchedEmail(claimed: string): string {
  return spellings(storablePart(claimed).trim().toLowerCase()).unicode;
}

/**
 * The same form of an address that is new here.
 *
 * @throws GatewayError `validation` when it cannot be one
 */
export function normaliseEmail(email: string): string {
  const typed = foldCase(email);
  const { unicode, ascii } = spellings(typed);
  const domain = ascii.slice(ascii.lastIndexOf('@') + 1);
  if (!EMAIL.test(typed) || !EMAIL.test(ascii) || !PRINTABLE.test(domain)) {
    throw new GatewayError('email_invalid', { email });
  }
  // The sign-in pages of some browsers refuse them, and so do most mail servers.
  if (!PRINTABLE.test(ascii)) {
    throw new GatewayError('email_unusual', { email });
  }
  return unicode;
}
