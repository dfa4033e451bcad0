import { cookies, headers } from 'next/headers';
import { LOCALE_COOKIE, type Locale, negotiateLocale } from '#server/lib/locales.ts';

/**
 * The language of the request that is being rendered. Makes the page dynamic.
 *
 * @param fallback for whoever asks for no language that we have
 */
export async function requestLocale(fallback?: Locale): Promise<Locale> {
  const [jar, list] = await Promise.all([cookies(), headers()]);
  return negotiateLocale(jar.get(LOCALE_COOKIE)?.value, list.get('accept-language'), fallback);
}
