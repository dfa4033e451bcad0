import type { ReactNode } from 'react';
import { ChevronIcon } from '#app/_ui/icons.tsx';
import type { Translator } from '#server/i18n/translator.ts';
import type { Invoice } from '#server/invoices/types.ts';
import type { Locale } from '#server/lib/locales.ts';
import { formatMoney } from '#server/lib/money.ts';
import { totalsOf } from '#server/lib/totals.ts';
import { LargeAmount } from './large-amount.tsx';

function Row({ label, value, strong }: { label: string; value: string; strong?: boolean }) {
  return (
    <div
      className={`flex flex-wrap items-baseline justify-between gap-x-6 ${strong ? 'font-semibold' : 'text-muted'}`}
    >
      <dt className="min-w-0 break-words">{label}</dt>
      <dd className="wrap-anywhere ml-auto tabular-nums">{value}</dd>
    </div>
  );
}

/** The positions with their sum, and a line for the difference to the amount. */
export function Positions({
  invoice,
  locale,
  t,
}: {
  invoice: Invoice;
  locale: Locale;
  t: Translator<'pay'>;
}) {
  const { itemsMinor, differenceMinor, columnMinor } = totalsOf(invoice);
  // Titles repeat; positions never move, so their index identifies them.
  const placed = invoice.positions.map((position, place) => ({ place, position }));
  const money = (minor: bigint) => formatMoney(minor, invoice.currency, locale, columnMinor);
  return (
    <div className="space-y-3 text-[0.9375rem]">
      <ul className="space-y-2.5">
        {placed.map(({ place, position }) => (
          <li key={place} className="flex flex-wrap items-baseline justify-between gap-x-6">
            <span className="wrap-anywhere min-w-0 flex-[1_1_9rem]">
              <bdi>{position.title}</bdi>
            </span>
            <span className="ml-auto whitespace-nowrap tabular-nums">
              {money(BigInt(position.amountMinor))}
            </span>
          </li>
        ))}
      </ul>
      <dl className="space-y-2 border-line border-t pt-3">
        {differenceMinor !== 0n && (
          <Row label={t('summary.itemsTotal')} value={money(itemsMinor)} />
        )}
        {differenceMinor < 0n && (
          <Row label={t('summary.discount')} value={`−${money(-differenceMinor)}`} />
        )}
        {differenceMinor > 0n && (
          <Row label={t('summary.surcharge')} value={`+${money(differenceMinor)}`} />
        )}
        <Row label={t('summary.total')} value={money(invoice.amountMinor)} strong />
      </dl>
    </div>
  );
}

/** A longer text would push the amount off the screen: the details show its end. */
const LONG_DESCRIPTION = { onPhone: 100, onDesk: 250 };

function clampOf(length: number): string {
  if (length > LONG_DESCRIPTION.onDesk) return 'line-clamp-3 lg:line-clamp-6';
  return length > LONG_DESCRIPTION.onPhone ? 'max-lg:line-clamp-3' : '';
}

/** The amount, the description and the positions. */
export function Summary({
  invoice,
  locale,
  t,
  open,
  payBy,
}: {
  invoice: Invoice;
  locale: Locale;
  t: Translator<'pay'>;
  /** Whether the positions are unfolded at first; a phone starts with them folded. */
  open: boolean;
  /** The end of the time to pay, beside the amount where there is room on a phone. */
  payBy: ReactNode;
}) {
  const amount = formatMoney(invoice.amountMinor, invoice.currency, locale);
  const { length } = invoice.description;
  return (
    <section aria-label={t('summary.title')} className="space-y-2.5 lg:space-y-5">
      <div>
        <p className="wrap-anywhere text-pretty text-muted">
          <bdi className={clampOf(length)}>{invoice.description}</bdi>
        </p>
        <div className="flex flex-wrap items-center justify-between gap-x-5 gap-y-1 lg:block lg:space-y-3">
          <LargeAmount amount={amount} />
          {payBy}
        </div>
      </div>
      <details open={open} className="group border-line border-t">
        <summary className="flex min-h-10 list-none items-center justify-between gap-4 rounded py-2 sm:min-h-11 font-semibold text-[0.9375rem]">
          <span>
            {t('summary.details')}
            <span className="ml-2 font-normal text-muted">
              {t('summary.positions', { count: invoice.positions.length })}
            </span>
          </span>
          <ChevronIcon className="size-5 shrink-0 text-muted transition-transform group-open:rotate-180" />
        </summary>
        <div className="space-y-3 pt-1">
          {length > LONG_DESCRIPTION.onPhone && (
            <p
              className={`wrap-anywhere text-[0.9375rem] text-muted ${length > LONG_DESCRIPTION.onDesk ? '' : 'lg:hidden'}`}
            >
              <bdi>{invoice.description}</bdi>
            </p>
          )}
          <Positions invoice={invoice} locale={locale} t={t} />
        </div>
      </details>
    </section>
  );
}
