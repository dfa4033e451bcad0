import type { ReactNode } from 'react';
import { translatorOf } from '#server/i18n/translator.ts';
import type { Locale } from '#server/lib/locales.ts';
import { Notice } from '../notice.tsx';

type Words = { noMatch: string; noMatchText: string; empty: string; emptyText: string };

/**
 * The reason why a list is empty.
 *
 * @param props.isLaterPage the pages before may have shown everything
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
  /** The path of the unfiltered list. */
  path: string;
  /** The ways to a first entry. */
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
