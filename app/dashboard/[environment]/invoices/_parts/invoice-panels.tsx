import { translatorOf } from '#server/i18n/translator.ts';
import type { Locale } from '#server/lib/locales.ts';
import { formatMoney } from '#server/lib/money.ts';
import { totalsOf } from '#server/lib/totals.ts';
import type { InvoiceDetailView } from '#server/trpc/rows.ts';
import { CopyableAddress } from '../../../_shared/copyable-id.tsx';
import { Facts } from '../../../_shared/panel.tsx';
import { Unfold } from '../../../_shared/unfold.tsx';

type Invoice = InvoiceDetailView['invoice'];

const DESCRIPTION = 'mt-1 text-muted [overflow-wrap:anywhere]';
/** A longer one shows four lines at first: it would push the buttons off the screen. */
const LONG_DESCRIPTION = { onPhone: 150, onDesk: 300 };

/** The invoice's description, below its amount; a long one unfolds, even without script. */
export function Description({ text, whole }: { text: string; whole: string }) {
  const { length } = text;
  const isLong = length > LONG_DESCRIPTION.onDesk;
  const clamp = isLong ? 'line-clamp-4' : 'max-lg:line-clamp-4';
  if (length <= LONG_DESCRIPTION.onPhone) {
    return (
      <p className={DESCRIPTION}>
        <bdi>{text}</bdi>
      </p>
    );
  }
  return (
    <div className="group">
      <p className={`${DESCRIPTION} ${clamp} group-has-[[open]]:line-clamp-none`}>
        <bdi>{text}</bdi>
      </p>
      <details className={isLong ? '' : 'lg:hidden'}>
        <Unfold>{whole}</Unfold>
      </details>
    </div>
  );
}

/** Two positions may be equal in everything, so their index tells them apart. */
function numbered(positions: Invoice['positions']) {
  return positions.map((position, index) => ({ ...position, place: index + 1 }));
}

/** The positions, and the difference where the amount is not their sum. */
export function Positions({ invoice, locale }: { invoice: Invoice; locale: Locale }) {
  const t = translatorOf(locale, 'dashboard.invoice');
  const { amountMinor, currency, positions } = invoice;
  const { differenceMinor, columnMinor } = totalsOf(invoice);
  const money = (minor: bigint): string => formatMoney(minor, currency, locale, columnMinor);
  return (
    <>
      <ul className="divide-y divide-line text-[0.9375rem]">
        {numbered(positions).map(({ title, amountMinor: minor, place }) => (
          <li key={place} className="flex flex-wrap justify-between gap-x-4 py-2">
            <span className="min-w-0 flex-[1_1_9rem] [overflow-wrap:anywhere]">
              <bdi>{title}</bdi>
            </span>
            <span className="ml-auto whitespace-nowrap tabular-nums">{money(BigInt(minor))}</span>
          </li>
        ))}
      </ul>
      <dl className="grid grid-cols-[1fr_auto] gap-x-4 gap-y-2 border-line border-t pt-3 text-[0.9375rem] tabular-nums">
        {differenceMinor !== 0n && (
          <>
            <dt>{differenceMinor < 0n ? t('discount') : t('surcharge')}</dt>
            <dd className="text-right">
              {differenceMinor < 0n ? `−${money(-differenceMinor)}` : `+${money(differenceMinor)}`}
            </dd>
          </>
        )}
        <dt className="font-semibold">{t('total')}</dt>
        <dd className="text-right font-semibold">{money(amountMinor)}</dd>
      </dl>
    </>
  );
}

/** The addresses that an invoice has: a payment link may have none. */
export function addressesOf({ callbackUrl, successUrl, errorUrl }: Invoice) {
  const all = [
    ['callbackUrl', callbackUrl],
    ['successUrl', successUrl],
    ['errorUrl', errorUrl],
  ] as const;
  return all.flatMap(([name, url]) => (url === null ? [] : [{ name, url }]));
}

export function Addresses({ locale, invoice }: { locale: Locale; invoice: Invoice }) {
  const t = translatorOf(locale, 'dashboard');
  const facts = addressesOf(invoice).map(({ name, url }) => ({
    name: t(`invoice.${name}`),
    value: (
      <CopyableAddress url={url} copy={t('callbacks.copyAddress')} copied={t('invoice.copied')} />
    ),
  }));
  return <Facts facts={facts} />;
}
