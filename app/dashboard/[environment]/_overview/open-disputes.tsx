import { translatorOf } from '#server/i18n/translator.ts';
import type { Locale } from '#server/lib/locales.ts';
import { formatMoney } from '#server/lib/money.ts';
import type { OpenDisputeView } from '#server/trpc/rows.ts';
import { Instant } from '../../_shared/instant.tsx';

type Props = {
  disputes: readonly OpenDisputeView[];
  base: string;
  locale: Locale;
  timeZone: string;
};

/** The disputes that wait for an answer, where staff look first; nothing when there are none. */
export function OpenDisputes({ disputes, base, locale, timeZone }: Props) {
  if (disputes.length === 0) return null;
  const t = translatorOf(locale, 'acquirers.disputes');
  return (
    <section aria-labelledby="open-disputes" className="card border-negative p-5">
      <h2 id="open-disputes" className="font-semibold">
        {t('open', { count: disputes.length })}
      </h2>
      <p className="mt-1 text-muted text-sm">{t('atAcquirer')}</p>
      <ul className="mt-3 grid grid-cols-1 gap-2 text-sm">
        {disputes.map(({ id, invoiceId, amountMinor, currency, createdAtMs }) => (
          <li key={id} className="flex flex-wrap items-baseline justify-between gap-x-4">
            <a href={`${base}/invoices/${invoiceId}`} className="link tabular-nums">
              {formatMoney(amountMinor, currency, locale)}
            </a>
            <span className="text-muted">
              <Instant atMs={createdAtMs} locale={locale} timeZone={timeZone} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
