import { cookies } from 'next/headers';
import { settings } from '#server/settings/settings.ts';

const COOKIE = 'sign-in-address';
const LIFETIME_S = 10 * 60;

/** Keeps an address for the next sign-in; not in a URL, where others and logs would see it. */
export async function keepAddress(email: string): Promise<void> {
  (await cookies()).set(COOKIE, email, {
    httpOnly: true,
    secure: settings().publicUrl.startsWith('https://'),
    sameSite: 'strict',
    path: '/dashboard/sign-in',
    maxAge: LIFETIME_S,
  });
}

/** The address kept in the last minutes, or `''`. */
export async function keptAddress(): Promise<string> {
  return (await cookies()).get(COOKIE)?.value ?? '';
}
