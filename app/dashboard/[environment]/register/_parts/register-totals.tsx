import { translatorOf } from '#server/i18n/translator.ts';
import type { Locale } from '#server/lib/locales.ts';
import type { RegisterTotalView } from '#server/trpc/rows.ts';
import { signedMoney } from './signed-money.ts';

/** What a day comes to, a card for each currency: no sum goes over two of them. */
export function RegisterTotals({
  locale,
  totals,
}: {
  locale: Locale;
  totals: readonly RegisterTotalView[];
}) {
  const t = translatorOf(locale, 'register');
  return (
    <ul className="mb-6 grid grid-cols-1 gap-4 md:grid-cols-2">
      {totals.map((total) => {
        const { currency, grossMinor, refundedMinor, feeMinor, netMinor } = total;
        const column = [grossMinor, refundedMinor, feeMinor, netMinor];
        const money = (minor: bigint): string => signedMoney(minor, currency, locale, column);
        const lines = [
          {
            name: t('gross'),
            note: t('payments', { count: total.payments }),
            value: money(grossMinor),
          },
          {
            name: t('refunded'),
            note: t('refunds', { count: total.refunds }),
            value: money(-refundedMinor),
          },
          {
            name: t('fees'),
            note: total.feesUnknown > 0 ? t('feesUnknown', { count: total.feesUnknown }) : '',
            value: total.feesUnknown === total.payments && feeMinor === 0n ? '–' : money(-feeMinor),
          },
        ];
        return (
          <li key={currency} className="card p-5">
            <h2 className="text-muted text-sm">{t('net', { currency })}</h2>
            <p className="mt-1 mb-3 font-semibold text-2xl tabular-nums tracking-tight [overflow-wrap:anywhere]">
              {money(netMinor)}
            </p>
            <dl className="grid gap-2 text-[0.9375rem]">
              {lines.map(({ name, note, value }) => (
                <div key={name} className="flex flex-wrap items-baseline justify-between gap-x-3">
                  <dt>
                    {name}
                    {note !== '' && <span className="text-muted text-sm"> · {note}</span>}
                  </dt>
                  <dd className="ml-auto tabular-nums">{value}</dd>
                </div>
              ))}
            </dl>
          </li>
        );
      })}
    </ul>
  );
}
