import type { ReactNode } from 'react';
import { translatorOf } from '#server/i18n/translator.ts';
import type { Locale } from '#server/lib/locales.ts';
import { Notice } from '../notice.tsx';

type Words = { noMatch: string; noMatchText: string; empty: string; emptyText: string };

/**
 * Why a list has nothing to show.
 *
 * @param props.isLaterPage it comes after pages that may have shown all there is
 */
export function EmptyList({
  locale,
  words,
  isFiltered,
  isLaterPage,
  path,
  children,
}: {
  locale: Locale;
  words: Words;
  isFiltered: boolean;
  isLaterPage: boolean;
  /** Of the list without filters. */
  path: string;
  /** The ways to the first. */
  children?: ReactNode;
}) {
  const t = translatorOf(locale, 'dashboard');
  if (isLaterPage) return <Notice title={t('invoices.noOlder')} text={t('invoices.noOlderText')} />;
  return isFiltered ? (
    <Notice title={words.noMatch} text={words.noMatchText}>
      <a href={path} className="button button-plain mt-3">
        {t('filters.clear')}
      </a>
    </Notice>
  ) : (
    <Notice title={words.empty} text={words.emptyText}>
      {children}
    </Notice>
  );
}
