'use server';

import { cookies } from 'next/headers';
import { isLocale, LOCALE_COOKIE, LOCALE_COOKIE_OPTIONS } from '#app/_i18n/locales.ts';

/**
 * Remembers the language in `lang`, and has the page rendered anew in it: a cookie that an action sets
 * does that. What is no language of ours changes nothing.
 */
export async function chooseLanguage(form: FormData): Promise<void> {
  // React believes hand-written arguments.
  const chosen = form instanceof FormData ? form.get('lang') : null;
  if (isLocale(chosen)) (await cookies()).set(LOCALE_COOKIE, chosen, LOCALE_COOKIE_OPTIONS);
}
