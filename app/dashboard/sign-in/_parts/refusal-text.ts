import type { Translator } from '#server/i18n/translator.ts';

/**
 * The reason why a provider's sign-in failed.
 *
 * @param error next-auth's addition to the address that it leads back to
 */
export function refusalText(error: string, t: Translator<'dashboard.providers'>): string {
  if (error === 'unknown' || error === 'unverified') return t(error);
  // The provider's failures are OAuthSignin or OAuthCallback, a fault of our own is Callback.
  return error === 'failed' || error === 'Callback' ? t('unreachable') : t('failed');
}
