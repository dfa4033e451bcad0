import { countText } from '#app/_i18n/count-text.ts';
import { PageLink } from '#app/_ui/page-link.tsx';
import { translatorOf } from '#server/i18n/translator.ts';
import type { Locale } from '#server/lib/locales.ts';
import type { ListedMerchantView } from '#server/trpc/rows.ts';
import { Instant } from '../../dashboard/_shared/instant.tsx';
import { HealthBadge, merchantState } from './health.tsx';
import { RateText } from './rate-text.tsx';
import { Sparkline } from './sparkline.tsx';
import { openHref } from './troubles.ts';
import { Volume } from './volume.tsx';

type Props = { locale: Locale; timeZone: string; merchants: ListedMerchantView[] };

/** The orders that a head of the table stands for; the first is the usual one. */
export const MERCHANT_ORDERS = ['worst', 'approval', 'delivery', 'payments', 'newest'] as const;
export type MerchantOrder = (typeof MERCHANT_ORDERS)[number];

const NOTHING = { good: 0, bad: 0 };
const NO_RATE = { day: NOTHING, week: NOTHING };
const NO_RATES = { approval: NO_RATE, delivery: NO_RATE, hours: [] as number[] };

const CELL = '@5xl:px-3 @5xl:py-3 @5xl:align-middle @5xl:first:pl-4 @5xl:last:pr-4';
const FIGURE = `${CELL} tabular-nums @5xl:text-right`;

function Row({
  merchant,
  locale,
  timeZone,
}: Omit<Props, 'merchants'> & { merchant: ListedMerchantView }) {
  const t = translatorOf(locale, 'operator.merchants');
  const [activity] = merchant.activity;
  if (!activity) return null;
  const { environment } = activity;
  // It stands above the row's own link.
  const figure = (value: number, tone: string, href: string, isMore = false) =>
    value === 0 ? (
      <span className="text-muted">{countText(0, false, locale)}</span>
    ) : (
      <PageLink className={`link-quiet relative z-[1] ${tone}`} href={href}>
        {countText(value, isMore, locale)}
      </PageLink>
    );
  const rates = merchant.rates ?? NO_RATES;
  const page = (path: string) => openHref(merchant.id, environment, path);
  const troubles = merchant.troubles.reduce((sum, { count }) => sum + count, 0);
  // A cell has its name where the table's head is hidden.
  const name = (text: string) => (
    <span className="block text-muted text-xs @5xl:hidden">{text}</span>
  );
  return (
    <tr className="relative focus-within:bg-sunk hover:bg-sunk @max-5xl:grid @max-5xl:grid-cols-2 @lg:@max-5xl:grid-cols-4 @max-5xl:items-start @max-5xl:gap-x-4 @max-5xl:gap-y-2 @max-5xl:px-4 @max-5xl:py-3.5">
      <td className={`${CELL} min-w-0 @max-5xl:col-span-2 @lg:@max-5xl:col-span-3 @5xl:min-w-48`}>
        <PageLink
          href={`/operator/merchants/${merchant.id}`}
          className="font-semibold outline-none [overflow-wrap:anywhere] after:absolute after:inset-0 focus-visible:after:outline-3 focus-visible:after:outline-focus focus-visible:after:-outline-offset-3"
        >
          <bdi>{merchant.name}</bdi>
        </PageLink>
        <span className="block text-muted text-sm [overflow-wrap:anywhere]">
          {merchant.ownerEmails.join(', ')}
        </span>
      </td>
      <td className={`${CELL} @max-5xl:col-span-2 @lg:@max-5xl:col-span-1`}>
        <HealthBadge
          locale={locale}
          state={merchantState(merchant, environment, merchant.troubles)}
        />
      </td>
      <td className={FIGURE}>
        {name(t('troubles'))}
        {figure(
          troubles,
          'font-semibold text-negative',
          `/operator/merchants/${merchant.id}#troubles-${environment}`,
          merchant.troubles.some(({ isMore }) => isMore),
        )}
      </td>
      <td className={FIGURE}>
        {name(t('approval'))}
        <RateText rate={rates.approval} href={page('invoices')} locale={locale} />
      </td>
      <td className={FIGURE}>
        {name(t('delivery'))}
        <RateText rate={rates.delivery} href={page('callbacks')} locale={locale} />
      </td>
      <td className={FIGURE}>
        {name(t('paid'))}
        {figure(activity.paid.count, '', page('invoices?status=PAID'))}
        {rates.hours.some((each) => each > 0) && (
          <span className="mt-1 block w-24 @5xl:ml-auto">
            <Sparkline series={rates.hours} />
          </span>
        )}
      </td>
      <td className={`${FIGURE} @5xl:whitespace-nowrap`}>
        {name(t('volume'))}
        <Volume paid={activity.paid} locale={locale} none="–" />
      </td>
      {/* A block hides it, but it stays as the head for screen readers. */}
      <td className={`${CELL} @5xl:min-w-28 text-muted text-sm @max-5xl:sr-only`}>
        <Instant atMs={merchant.createdAtMs} {...{ locale, timeZone }} />
      </td>
    </tr>
  );
}

/** Merchants, one a row; each is a block where the card has no room for a table. */
export function MerchantTable({
  merchants,
  sort,
  sortHref,
  ...view
}: Props & { sort: MerchantOrder; sortHref: (order: MerchantOrder) => string }) {
  const t = translatorOf(view.locale, 'operator.merchants');
  const heads: { text: string; isNumber: boolean; order: MerchantOrder | null }[] = [
    { text: t('name'), isNumber: false, order: null },
    { text: t('health'), isNumber: false, order: null },
    { text: t('troubles'), isNumber: true, order: 'worst' },
    { text: t('approval'), isNumber: true, order: 'approval' },
    { text: t('delivery'), isNumber: true, order: 'delivery' },
    { text: t('paid'), isNumber: true, order: 'payments' },
    { text: t('volume'), isNumber: true, order: null },
    { text: t('created'), isNumber: false, order: 'newest' },
  ];
  return (
    <section className="card @container overflow-x-auto" aria-label={t('table')} tabIndex={-1}>
      <table className="w-full border-collapse text-[0.9375rem] @max-5xl:block">
        <caption className="sr-only">{t('table')}</caption>
        <thead className="@max-5xl:sr-only">
          <tr className="border-line border-b text-left text-muted text-sm">
            {heads.map(({ text, isNumber, order }) => (
              <th
                key={text}
                scope="col"
                className={`px-3 py-2.5 font-medium first:pl-4 ${isNumber ? 'text-right' : ''}`}
              >
                {order === null || order === sort ? (
                  <span className={order === sort ? 'font-semibold text-ink' : ''}>
                    {text}
                    {order === sort && <span className="sr-only"> ({t('sorted')})</span>}
                  </span>
                ) : (
                  <a className="link-quiet" href={sortHref(order)}>
                    {text}
                  </a>
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line @max-5xl:block">
          {merchants.map((merchant) => (
            <Row key={merchant.id} merchant={merchant} {...view} />
          ))}
        </tbody>
      </table>
    </section>
  );
}
