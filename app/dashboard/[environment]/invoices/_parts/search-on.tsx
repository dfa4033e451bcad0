import { translatorOf } from '#server/i18n/translator.ts';
import type { Locale } from '#server/lib/locales.ts';
import { Instant } from '../../../_shared/instant.tsx';

/** How far back the list of invoices was searched, and a link to continue. */
export function SearchOn({
  locale,
  timeZone,
  searchedToMs,
  isSearch,
  href,
}: {
  locale: Locale;
  timeZone: string;
  searchedToMs: number;
  /** Whether a text was searched for, whose index knows no status. */
  isSearch: boolean;
  href: string;
}) {
  const t = translatorOf(locale, 'dashboard.invoices');
  return (
    <div className="card mt-4 grid justify-items-center gap-2 px-6 py-8 text-center">
      <p>
        {t('searchedTo')} <Instant atMs={searchedToMs} locale={locale} timeZone={timeZone} />
      </p>
      <p className="text-muted text-sm">{isSearch ? t('narrowSearch') : t('narrow')}</p>
      <a href={href} className="button button-plain mt-2">
        {t('searchOn')}
      </a>
    </div>
  );
}
