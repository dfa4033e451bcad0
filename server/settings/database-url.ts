import { SettingError } from '../lib/errors.ts';

/**
 * DATABASE_URL as the processes use it; null where it is not set.
 *
 * @throws SettingError when it is not a PostgreSQL URL
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
 * Each of these words makes `pg` verify the server's certificate against its CA and its host. `pg`
 * also warns in each process, in lines that are not JSON, that a later version will not. So the
 * meaning is set by its exact name, except with `uselibpqcompat`, which chooses the other one.
 */
function verifying(url: string): string {
  if (/[?&]uselibpqcompat=true(&|$)/.test(url)) return url;
  return url.replace(/([?&]sslmode=)(prefer|require|verify-ca)(?=&|$)/, '$1verify-full');
}
