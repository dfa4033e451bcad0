import type { ReactNode } from 'react';
import { isWord, translatorOf } from '#server/i18n/translator.ts';
import type { Locale } from '#server/lib/locales.ts';
import { formatMoney } from '#server/lib/money.ts';
import type { BookDifferenceView } from '#server/trpc/rows.ts';
import { Instant } from './instant.tsx';
import { Facts } from './panel.tsx';

type Side = BookDifferenceView['ours'];

/** A payment or refund on which our books and an acquirer's differ; what can be done comes below. */
export function BookDifferenceItem({
  difference,
  merchant,
  locale,
  timeZone,
  children,
}: {
  difference: BookDifferenceView;
  /** The account's merchant, for a reader of many merchants. */
  merchant?: ReactNode;
  locale: Locale;
  timeZone: string;
  children?: ReactNode;
}) {
  const t = translatorOf(locale, 'acquirers.differences');
  const attempts = translatorOf(locale, 'acquirers.timeline.attempts');
  const { kind, what, ours, theirs, ourId, acquirerId, invoiceId, environment } = difference;
  const ourState = (state: string) => {
    if (kind === 'payment') return isWord(attempts, state) ? attempts(state) : state;
    const word = `refunds.${state}`;
    return isWord(t, word) ? t(word) : state;
  };
  const theirState = (state: string) => {
    const word = `theirs.${state}`;
    return isWord(t, word) ? t(word) : state;
  };
  const side = (of: Side, stateOf: (state: string) => string) =>
    of === null
      ? t('nothing')
      : `${formatMoney(of.amountMinor, of.currency, locale)}, ${stateOf(of.state)}`;
  const instant = (atMs: number) => <Instant atMs={atMs} locale={locale} timeZone={timeZone} />;
  const invoice = invoiceId !== null && (
    <a className="link font-mono text-sm" href={`/dashboard/${environment}/invoices/${invoiceId}`}>
      {invoiceId}
    </a>
  );
  return (
    <li className="card p-5">
      <div className="mb-3 flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <h2 className="min-w-0 font-semibold [overflow-wrap:anywhere]">
          {t(kind === 'refund' ? 'kinds.refund' : 'kinds.payment')}: {t(`what.${what}`)}
        </h2>
        <span className="text-muted text-sm [overflow-wrap:anywhere]">
          {merchant} <bdi>{difference.accountName}</bdi>
        </span>
      </div>
      <Facts
        isWide
        facts={[
          { name: t('here'), value: side(ours, ourState) },
          { name: t('there'), value: side(theirs, theirState) },
          ...(invoice ? [{ name: t('invoice'), value: invoice }] : []),
          {
            name: t('ids'),
            value: [ourId, acquirerId]
              .filter((each) => each !== null)
              .map((each) => (
                <span key={each} className="block font-mono text-sm">
                  {each}
                </span>
              )),
          },
          { name: t('began'), value: instant(difference.atMs) },
          { name: t('seen'), value: instant(difference.seenAtMs) },
        ]}
      />
      {children}
    </li>
  );
}
