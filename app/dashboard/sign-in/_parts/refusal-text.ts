import type { Translator } from '#server/i18n/translator.ts';

/**
 * Why a provider's sign-in did not succeed.
 *
 * @param error what next-auth adds to the address of the page that it leads back to
 */
export function refusalText(error: string, t: Translator<'dashboard.providers'>): string {
  if (error === 'unknown' || error === 'unverified') return t(error);
  // What the provider did comes as OAuthSignin or OAuthCallback, a fault of our own as Callback.
  return error === 'failed' || error === 'Callback' ? t('unreachable') : t('failed');
}
