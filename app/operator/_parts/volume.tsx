import type { Locale } from '#server/lib/locales.ts';
import { formatMoney } from '#server/lib/money.ts';
import type { MerchantHealthView } from '#server/trpc/rows.ts';

type Paid = MerchantHealthView['activity'][number]['paid'];

/** Sums by currency, never over currencies. */
export function Volume({ paid, locale, none }: { paid: Paid; locale: Locale; none: string }) {
  if (paid.byCurrency.length === 0) return <span className="text-muted">{none}</span>;
  return (
    <>
      {paid.byCurrency.map(({ currency, amountMinor }) => (
        <span key={currency} className="wrap-anywhere block tabular-nums">
          {formatMoney(amountMinor, currency, locale)}
        </span>
      ))}
    </>
  );
}
