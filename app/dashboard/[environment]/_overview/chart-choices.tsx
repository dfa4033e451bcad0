import { translatorOf } from '#server/i18n/translator.ts';
import type { Locale } from '#server/lib/locales.ts';
import type { Currency } from '#server/lib/money.ts';
import { CheckedInput } from '../../_shared/forms/checked-input.tsx';
import { INPUT } from '../../_shared/forms/form-field.tsx';
import { Unfold } from '../../_shared/unfold.tsx';
import { CHART_BASES, type ChartQuery, chartAddress } from './chart-query.ts';
import { type DayRange, RANGES } from './day-range.ts';

type Choice = { text: string; href: string; isChosen: boolean };

/** A row of links of which one is chosen. */
function Choices({ label, choices }: { label: string; choices: Choice[] }) {
  return (
    <nav aria-label={label} className="min-w-0">
      <ul className="flex flex-wrap rounded-control border border-line bg-surface p-0.5 text-sm">
        {choices.map(({ text, href, isChosen }) => (
          <li key={href}>
            <a
              href={href}
              aria-current={isChosen ? 'true' : undefined}
              className={`block rounded-lg px-3 py-1.5 pointer-coarse:py-2.5 ${
                isChosen ? 'bg-sunk font-semibold' : 'text-muted hover:text-ink'
              }`}
            >
              {text}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

type Props = { locale: Locale; base: string; range: DayRange; query: ChartQuery };

/** Two days of one's own. */
function OwnRange({ locale, base, range, query }: Props) {
  const t = translatorOf(locale, 'overview');
  return (
    <details open={range.preset === null}>
      <Unfold>{t('ownRange')}</Unfold>
      <form action={base} className="mt-1 flex min-w-0 flex-wrap items-start gap-2">
        {query.by !== 'paid' && <input type="hidden" name="by" value={query.by} />}
        {query.currency !== '' && <input type="hidden" name="currency" value={query.currency} />}
        {(['from', 'to'] as const).map((name) => (
          <div key={name} className="min-w-[min(8rem,100%)] flex-1 sm:flex-none">
            <CheckedInput
              id={name}
              name={name}
              type="date"
              required
              aria-label={t(name)}
              defaultValue={range.days.at(name === 'from' ? 0 : -1)}
              className={`${INPUT} !px-2.5 !text-sm sm:!w-auto`}
            />
          </div>
        ))}
        <button type="submit" className="button button-plain button-compact">
          {t('show')}
        </button>
      </form>
    </details>
  );
}

/** What the chart shows, as links: they also work before the script has come. */
export function ChartChoices({
  currencies,
  shown,
  ...props
}: Props & {
  /** Those with money in the shown days or before them. */
  currencies: readonly Currency[];
  shown: Currency;
}) {
  const { locale, base, range, query } = props;
  const t = translatorOf(locale, 'overview');
  const { days } = range;
  return (
    <div className="mt-3 mb-4 grid gap-2">
      <div className="flex min-w-0 flex-wrap items-center gap-2">
        {currencies.length > 1 && (
          <Choices
            label={t('currency')}
            choices={currencies.map((currency) => ({
              text: currency,
              href: chartAddress(base, { ...query, currency }, range),
              isChosen: currency === shown,
            }))}
          />
        )}
        <Choices
          label={t('range')}
          choices={RANGES.map((count) => ({
            text: t('days', { count }),
            href: chartAddress(base, query, { preset: count, days }),
            isChosen: range.preset === count,
          }))}
        />
        <Choices
          label={t('basis')}
          choices={CHART_BASES.map((by) => ({
            text: t(`by.${by}`),
            href: chartAddress(base, { ...query, by }, range),
            isChosen: by === query.by,
          }))}
        />
      </div>
      <OwnRange {...props} />
    </div>
  );
}
