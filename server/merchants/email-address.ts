import { domainToASCII, domainToUnicode } from 'node:url';
import type { Queryable } from '../db/pool.ts';
import { GatewayError } from '../lib/errors.ts';

// RFC 5321 bounds an address at 254 characters; whether it exists only a letter tells. What
// RFC 5322 calls specials could make a list of it, or a name with another address behind.
const EMAIL = /^[^\s@\p{Cc},;:<>()[\]"\\]{1,64}@[^\s@\p{Cc},;:<>()[\]"\\]{1,189}$/u;

// Nothing that has a meaning in a URL, as which node reads what it converts. Joiners are part of
// Persian and Indian names.
const CONVERTIBLE = /^[\p{L}\p{M}\p{Nd}\p{Join_Control}.-]+$/u;

const PRINTABLE = /^[\x21-\x7e]+$/;

/** Trimmed, lower case, and without NULs, which PostgreSQL refuses in text. */
function plain(given: string): string {
  return given.replaceAll('\0', '').trim().toLowerCase();
}

/**
 * The two spellings of an address whose domain has other letters than those of ASCII (RFC 5890):
 * people know `kim@пример.рф`, some browsers hand over `kim@xn--e1afmkfd.xn--p1ai`. Both the same
 * for all others.
 */
function spellings(address: string): { unicode: string; ascii: string } {
  const at = address.lastIndexOf('@') + 1;
  const domain = address.slice(at);
  const isNational =
    (!PRINTABLE.test(domain) || /(^|\.)xn--/.test(domain)) && CONVERTIBLE.test(domain);
  const ascii = isNational ? domainToASCII(domain) : '';
  if (ascii === '') return { unicode: address, ascii: address };
  const name = address.slice(0, at);
  return { unicode: name + domainToUnicode(ascii), ascii: name + ascii };
}

/**
 * An address as accounts have it, its domain as people write it. No more is asked of it: an old
 * account may have an address that no new one is given.
 */
export function accountEmail(given: string): string {
  return spellings(plain(given)).unicode;
}

/**
 * The same form of an address that is new here.
 *
 * @throws GatewayError `validation` when it cannot be one
 */
export function normaliseEmail(email: string): string {
  const { unicode, ascii } = spellings(plain(email));
  const domain = ascii.slice(ascii.lastIndexOf('@') + 1);
  if (!EMAIL.test(email.trim()) || !EMAIL.test(ascii) || !PRINTABLE.test(domain)) {
    throw new GatewayError('validation', `"${email}" is not an e-mail address.`);
  }
  // The sign-in pages of some browsers refuse them, and so do most mail servers.
  if (!PRINTABLE.test(ascii)) {
    throw new GatewayError(
      'validation',
      `"${email}" has characters before the @ that most mail servers refuse.`,
    );
  }
  return unicode;
}

/** All that an address may be kept as, what was given first: an old row may have either spelling. */
export function keptSpellings(given: string): string[] {
  const written = plain(given);
  const { unicode, ascii } = spellings(written);
  return unicode === ascii ? [unicode] : [written, unicode, ascii];
}

/**
 * The address of the account that somebody means, to find it by: it may be kept in a spelling of
 * its domain that no new one has. Without such an account it is what `accountEmail` says. Where
 * each spelling has an account, the one that was given counts.
 */
export async function keptEmail(db: Queryable, given: string): Promise<string> {
  const possible = keptSpellings(given);
  if (possible.length === 1) return accountEmail(given);
  const { rows } = await db.query<{ email: string }>(
    'SELECT email FROM users WHERE email = ANY($1::text[]) ORDER BY array_position($1::text[], email) LIMIT 1',
    [possible],
  );
  return rows[0]?.email ?? accountEmail(given);
}
