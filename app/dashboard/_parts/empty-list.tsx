import type { DashboardMessages } from '../_i18n/en.ts';
import { Notice } from './notice.tsx';

type Words = { noMatch: string; noMatchText: string; empty: string; emptyText: string };

/**
 * Why a list has nothing to show.
 *
 * @param props.isLaterPage it comes after pages that may have shown all there is
 */
export function EmptyList({
  t,
  words,
  isFiltered,
  isLaterPage,
}: {
  t: DashboardMessages;
  words: Words;
  isFiltered: boolean;
  isLaterPage: boolean;
}) {
  if (isLaterPage) return <Notice title={t.invoices.noOlder} text={t.invoices.noOlderText} />;
  return isFiltered ? (
    <Notice title={words.noMatch} text={words.noMatchText} />
  ) : (
    <Notice title={words.empty} text={words.emptyText} />
  );
}
