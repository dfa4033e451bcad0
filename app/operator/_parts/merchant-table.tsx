import Link from 'next/link';
import type { MerchantHealthView } from '#server/trpc/rows.ts';
import { Instant } from '../../dashboard/_parts/instant.tsx';
import type { OperatorMessages } from '../_i18n/en.ts';
import type { OperatorLocale } from '../_i18n/messages.ts';
import { HealthBadge } from './health.tsx';
import { Volume } from './volume.tsx';

type Props = {
  t: OperatorMessages;
  locale: OperatorLocale;
  timeZone: string;
  merchants: MerchantHealthView[];
};

const CELL = 'px-3 py-3 align-middle first:pl-4 last:pr-4';

function Row({
  merchant,
  t,
  locale,
  timeZone,
}: Omit<Props, 'merchants'> & { merchant: MerchantHealthView }) {
  const number = new Intl.NumberFormat(locale);
  const [activity] = merchant.activity;
  if (!activity) return null;
  const figure = (value: number, tone: string) => (
    <span className={value > 0 ? tone : 'text-muted'}>{number.format(value)}</span>
  );
  return (
    <tr className="relative focus-within:bg-sunk hover:bg-sunk">
      <td className={`${CELL} min-w-52`}>
        <Link
          href={`/operator/merchants/${merchant.id}`}
          prefetch={false}
          className="font-semibold outline-none after:absolute after:inset-0 focus-visible:after:outline-3 focus-visible:after:outline-focus focus-visible:after:-outline-offset-3"
        >
          {merchant.name}
        </Link>
        <span className="block text-muted text-sm">{merchant.ownerEmails.join(', ')}</span>
      </td>
      <td className={CELL}>
        <HealthBadge merchant={merchant} t={t} />
      </td>
      <td className={`${CELL} text-right tabular-nums`}>{figure(activity.paid.count, '')}</td>
      <td className={`${CELL} text-right`}>
        <Volume paid={activity.paid} locale={locale} none="–" />
      </td>
      <td className={`${CELL} text-right tabular-nums`}>
        {figure(activity.callbacksDue, 'text-caution')}
      </td>
      <td className={`${CELL} text-right tabular-nums`}>
        {figure(activity.exhausted, 'font-semibold text-negative')}
      </td>
      <td className={`${CELL} whitespace-nowrap text-muted text-sm`}>
        <Instant atMs={merchant.createdAtMs} {...{ locale, timeZone }} />
      </td>
    </tr>
  );
}

/** Merchants, one a row; on a phone the table scrolls sideways within its card. */
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
        <thead>
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
