import { cookies, headers } from 'next/headers';
import { type Surface, spokenLocale } from '#server/i18n/translator.ts';
import { LOCALE_COOKIE, type Locale, negotiateLocale } from '#server/lib/locales.ts';

/**
 * The language of the request that is being rendered. Makes the page dynamic.
 *
 * @param fallback for readers who ask for no language that we have
 */
export async function requestLocale(fallback?: Locale): Promise<Locale> {
  const [jar, list] = await Promise.all([cookies(), headers()]);
  return negotiateLocale(jar.get(LOCALE_COOKIE)?.value, list.get('accept-language'), fallback);
}

/** The language in which a surface answers the request that is being rendered. */
export async function surfaceLocale(surface: Surface): Promise<Locale> {
  return spokenLocale(await requestLocale(), surface);
}
