import { surfaceLocale } from '#app/_i18n/request-locale.ts';
import { translatorOf } from '#server/i18n/translator.ts';

/** A screen whose data are loading. */
export async function ScreenLoading() {
  const locale = await surfaceLocale('dashboard');
  const t = translatorOf(locale, 'dashboard');
  return (
    <div aria-live="polite" className="grid grid-cols-1 gap-4">
      <h1 className="sr-only">{t('loading')}</h1>
      <noscript>
        <p className="font-medium text-negative">{t('needsScript')}</p>
      </noscript>
      <div className="h-8 w-40 max-w-full animate-pulse rounded-lg bg-sunk" />
      <div className="h-96 animate-pulse rounded-card bg-sunk" />
    </div>
  );
}
