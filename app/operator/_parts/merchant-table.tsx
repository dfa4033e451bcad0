import Link from 'next/link';
import { countText } from '#app/_i18n/count-text.ts';
import type { MerchantHealthView } from '#server/trpc/rows.ts';
import { Instant } from '../../dashboard/_parts/instant.tsx';
import type { OperatorMessages } from '../_i18n/en.ts';
import type { OperatorLocale } from '../_i18n/messages.ts';
import { HealthBadge, merchantState } from './health.tsx';
import { Volume } from './volume.tsx';

type Props = {
  t: OperatorMessages;
  locale: OperatorLocale;
  timeZone: string;
  merchants: MerchantHealthView[];
};

const CELL = 'md:px-3 md:py-3 md:align-middle md:first:pl-4 md:last:pr-4';
const FIGURE = `${CELL} tabular-nums md:text-right`;

function Row({
  merchant,
  t,
  locale,
  timeZone,
}: Omit<Props, 'merchants'> & { merchant: MerchantHealthView }) {
  const words = t.merchants;
  const [activity] = merchant.activity;
  if (!activity) return null;
  const figure = (value: number, tone: string, isMore = false) => (
    <span className={value > 0 ? tone : 'text-muted'}>{countText(value, isMore, locale)}</span>
  );
  // On a phone, where the head of the table is not shown.
  const name = (text: string) => <span className="block text-muted text-xs md:hidden">{text}</span>;
  return (
    <tr className="relative focus-within:bg-sunk hover:bg-sunk max-md:grid max-md:grid-cols-2 max-md:gap-x-4 max-md:gap-y-2 max-md:px-4 max-md:py-3.5">
      <td className={`${CELL} min-w-0 max-md:col-span-2 md:min-w-52`}>
        <Link
          href={`/operator/merchants/${merchant.id}`}
          prefetch={false}
          className="font-semibold outline-none [overflow-wrap:anywhere] after:absolute after:inset-0 focus-visible:after:outline-3 focus-visible:after:outline-focus focus-visible:after:-outline-offset-3"
        >
          {merchant.name}
        </Link>
        <span className="block text-muted text-sm [overflow-wrap:anywhere]">
          {merchant.ownerEmails.join(', ')}
        </span>
      </td>
      <td className={`${CELL} max-md:col-span-2`}>
        <HealthBadge state={merchantState(merchant, activity.environment)} t={t} />
      </td>
      <td className={FIGURE}>
        {name(words.paid)}
        {figure(activity.paid.count, '')}
      </td>
      <td className={FIGURE}>
        {name(words.volume)}
        <Volume paid={activity.paid} locale={locale} none="–" />
      </td>
      <td className={FIGURE}>
        {name(words.waiting)}
        {figure(activity.callbacksDue, 'text-caution', activity.callbacksDueIsMore)}
      </td>
      <td className={FIGURE}>
        {name(words.exhausted)}
        {figure(activity.exhausted, 'font-semibold text-negative', activity.exhaustedIsMore)}
      </td>
      <td className={`${CELL} whitespace-nowrap text-muted text-sm max-md:hidden`}>
        <Instant atMs={merchant.createdAtMs} {...{ locale, timeZone }} />
      </td>
    </tr>
  );
}

/** Merchants, one a row; on a phone each is a block of its own. */
export function MerchantTable({ merchants, ...view }: Props) {
  const words = view.t.merchants;
  const heads: [string, boolean][] = [
    [words.name, false],
    [words.health, false],
    [words.paid, true],
    [words.volume, true],
    [words.waiting, true],
    [words.exhausted, true],
    [words.created, false],
  ];
  return (
    <section className="card overflow-x-auto" aria-label={words.table} tabIndex={-1}>
      <table className="w-full border-collapse text-[0.9375rem]">
        <caption className="sr-only">{words.table}</caption>
        <thead className="max-md:sr-only">
          <tr className="border-line border-b text-left text-muted text-sm">
            {heads.map(([head, isNumber]) => (
              <th
                key={head}
                scope="col"
                className={`whitespace-nowrap px-3 py-2.5 font-medium first:pl-4 ${isNumber ? 'text-right' : ''}`}
              >
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {merchants.map((merchant) => (
            <Row key={merchant.id} merchant={merchant} {...view} />
          ))}
        </tbody>
      </table>
    </section>
  );
}
