import { translatorOf } from '#server/i18n/translator.ts';
import { dateFormat, numberFormat } from '#server/lib/formats.ts';
import { type Locale, propertiesOf } from '#server/lib/locales.ts';
import { CURRENCIES, type Currency } from '#server/lib/money.ts';
import type { RegisterTotalView, TodayView } from '#server/trpc/rows.ts';
import { signedMoney } from '../register/_parts/signed-money.ts';
import { changeText } from './overview-figures.ts';

type Props = { locale: Locale; base: string; timeZone: string; view: TodayView };
type Figure = {
  name: string;
  today: string;
  yesterday: string;
  /** The lists that the two figures count. */
  hrefs: { today: string; yesterday: string };
  change?: string;
  /** Whether a narrow block does without it. */
  isAside?: boolean;
};

const nothingIn = (currency: Currency): RegisterTotalView => ({
  currency,
  payments: 0,
  grossMinor: 0n,
  refunds: 0,
  refundedMinor: 0n,
  feeMinor: 0n,
  feesUnknown: 0,
  netMinor: 0n,
});

const ofCurrency = (totals: readonly RegisterTotalView[], currency: Currency) =>
  totals.find((each) => each.currency === currency) ?? nothingIn(currency);

const knowsFees = ({ payments, feesUnknown }: RegisterTotalView): boolean => feesUnknown < payments;

/** A sum of fees; a dash where no payment's is known. */
function feesText(total: RegisterTotalView, money: (minor: bigint) => string): string {
  return knowsFees(total) ? money(-total.feeMinor) : '–';
}

function figuresOf(currency: Currency, { locale, base, view }: Props, hasFees: boolean): Figure[] {
  const t = translatorOf(locale, 'overview');
  const today = ofCurrency(view.today.totals, currency);
  const yesterday = ofCurrency(view.yesterday.totals, currency);
  const soFar = ofCurrency(view.soFar.totals, currency);
  const number = numberFormat(locale, {});
  const money = (minor: bigint): string => signedMoney(minor, currency, locale);
  const register = (day: string) => `${base}/register?day=${day}`;
  const paidOn = (day: string) =>
    `${base}/invoices?${new URLSearchParams({ status: 'PAID', currency, by: 'paid', from: day, to: day })}`;
  const lists = (of: (day: string) => string) => ({
    today: of(view.today.day),
    yesterday: of(view.yesterday.day),
  });
  const isAside = today.payments === 0 && today.refunds === 0;
  const figures: Figure[] = [
    {
      name: t('received'),
      today: money(today.grossMinor),
      yesterday: money(yesterday.grossMinor),
      hrefs: lists(paidOn),
      change: changeText(Number(today.grossMinor), Number(soFar.grossMinor), locale, t),
    },
    {
      name: t('net'),
      today: money(today.netMinor),
      yesterday: money(yesterday.netMinor),
      hrefs: lists(register),
      isAside,
    },
    {
      name: t('payments'),
      today: number.format(today.payments),
      yesterday: number.format(yesterday.payments),
      hrefs: lists(paidOn),
      isAside,
    },
    {
      name: t('refunded'),
      today: money(-today.refundedMinor),
      yesterday: money(-yesterday.refundedMinor),
      hrefs: lists(register),
      isAside,
    },
  ];
  if (!hasFees) return figures;
  const fees = { today: feesText(today, money), yesterday: feesText(yesterday, money) };
  return [...figures, { name: t('fees'), ...fees, hrefs: lists(register), isAside }];
}

function FigureOf({
  figure,
  locale,
  isNamed,
}: {
  figure: Figure;
  locale: Locale;
  /** Whether its name is seen in a wide block, where the figures of all currencies stand in columns. */
  isNamed: boolean;
}) {
  const t = translatorOf(locale, 'overview');
  const { name, today, yesterday, hrefs, change, isAside } = figure;
  // The first figure of a currency is the one that is looked for: a row of its own on a phone.
  const isFirst = change !== undefined;
  return (
    <div
      className={`min-w-0 ${isFirst ? '@max-3xl:col-span-full' : ''} ${isAside ? '@max-3xl:hidden' : ''}`}
    >
      <dt className={`text-muted text-sm ${isNamed ? '' : '@3xl:sr-only'}`}>{name}</dt>
      <dd className="flex flex-wrap items-baseline gap-x-2">
        <a
          href={hrefs.today}
          className={`wrap-anywhere rounded-sm font-semibold tabular-nums tracking-tight underline-offset-4 hover:underline ${isFirst ? 'text-2xl' : 'text-lg @3xl:leading-8'}`}
        >
          {today}
        </a>
        {change && <span className="text-muted text-sm">{change}</span>}
      </dd>
      <dd className="text-muted text-sm">
        {t('yesterday')}{' '}
        <a
          href={hrefs.yesterday}
          className="wrap-anywhere inline-block rounded-sm tabular-nums underline-offset-4 hover:underline pointer-coarse:py-1"
        >
          {yesterday}
        </a>
      </dd>
    </div>
  );
}

/** What came and went today, by currency, beside yesterday: each figure leads to what it counts. */
export function TodayBlock(props: Props) {
  const { locale, timeZone, view } = props;
  const t = translatorOf(locale, 'overview');
  const { today, yesterday, soFar } = view;
  const used = CURRENCIES.filter((currency) =>
    [...today.totals, ...yesterday.totals].some((each) => each.currency === currency),
  );
  const hasFees = [...today.totals, ...yesterday.totals].some(knowsFees);
  const { dateTag } = propertiesOf(locale);
  const time = dateFormat(dateTag, { hour: '2-digit', minute: '2-digit', timeZone });
  const date = dateFormat(dateTag, { day: 'numeric', month: 'long', timeZone: 'UTC' });
  return (
    <section className="card p-5" aria-labelledby="today">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h2 id="today" className="font-semibold">
          {t('today')}, {date.format(Date.parse(today.day))}
        </h2>
        {used.length > 0 && (
          <p className="text-muted text-sm">
            {t('comparedUntil', { time: time.format(soFar.untilMs) })}
          </p>
        )}
      </div>
      {used.length === 0 && <p className="mt-2 text-muted">{t('nothingToday')}</p>}
      <ul className="@container divide-y divide-line">
        {used.map((currency, row) => (
          <li key={currency} className="py-3 last:pb-0">
            {used.length > 1 && <h3 className="sr-only">{currency}</h3>}
            <dl
              className={`grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-2 @md:grid-cols-2 @md:gap-x-4 ${hasFees ? '@3xl:grid-cols-[1.5fr_1.3fr_0.7fr_1.1fr_1fr]' : '@3xl:grid-cols-[1.5fr_1.3fr_0.8fr_1.2fr]'}`}
            >
              {figuresOf(currency, props, hasFees).map((figure) => (
                <FigureOf key={figure.name} {...{ figure, locale }} isNamed={row === 0} />
              ))}
            </dl>
          </li>
        ))}
      </ul>
    </section>
  );
}
