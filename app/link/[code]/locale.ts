import { requestLocale } from '#app/_i18n/request-locale.ts';
import { isLocale, type Locale } from '#server/lib/locales.ts';
import { loadLink } from './loader.ts';

/** The buyer's language; the merchant's if the buyer asks for none that we have. */
export async function linkLocale(code: string): Promise<Locale> {
  const loaded = await loadLink(code);
  const own = loaded.kind === 'link' ? loaded.merchant.defaultLocale : null;
  return await requestLocale(isLocale(own) ? own : undefined);
}
