import { SettingError } from '../lib/errors.ts';

/**
 * DATABASE_URL as the processes use it; null where it is not set.
 *
 * @throws SettingError when it is no URL of PostgreSQL
 */
export function parseDatabaseUrl(value: string | undefined): string | null {
  if (value === undefined) return null;
  // The value itself stays out of the message: it holds a password.
  if (!/^postgres(ql)?:\/\//.test(value) || !URL.canParse(value)) {
    throw new SettingError('The setting DATABASE_URL must be a postgres:// or postgresql:// URL.');
  }
  return verifying(value);
}

/**
 * By each of these words `pg` holds the server's certificate against its CA and its host, and warns in
 * each process, in lines that are no JSON, that a later version will not: what it does is asked for by
 * name. With `uselibpqcompat` somebody has chosen the other meaning.
 */
function verifying(url: string): string {
  if (/[?&]uselibpqcompat=true(&|$)/.test(url)) return url;
  return url.replace(/([?&]sslmode=)(prefer|require|verify-ca)(?=&|$)/, '$1verify-full');
}
