import { Suspense } from 'react';
import { translatorOf } from '#server/i18n/translator.ts';
import { numberFormat } from '#server/lib/formats.ts';
import type { Locale } from '#server/lib/locales.ts';
import type { ListTotalsView } from '#server/trpc/rows.ts';
import { RegisterTotals } from '../../register/_parts/register-totals.tsx';

type Props = { locale: Locale; totals: Promise<ListTotalsView> };

async function Sums({ locale, totals }: Props) {
  const t = translatorOf(locale, 'dashboard.invoices');
  const found = await totals;
  if (found === null) return <p className="text-muted">{t('totalsTooMany')}</p>;
  const { payments: count, isPart } = found;
  const text = numberFormat(locale, {}).format(count);
  return (
    <>
      <p className="mb-3 text-muted text-sm">
        {isPart ? t('totalsOfPart', { count, text }) : t('totalsText')}
      </p>
      <RegisterTotals locale={locale} totals={found.totals} />
    </>
  );
}

/** What the payments of the whole list come to; it comes after the list, which never waits for it. */
export function ListTotals(props: Props) {
  const t = translatorOf(props.locale, 'dashboard.invoices');
  return (
    <section aria-labelledby="totals" className="mt-8">
      <h2 id="totals" className="mb-1 font-semibold text-lg">
        {t('totals')}
      </h2>
      <Suspense fallback={<p className="text-muted text-sm">{t('totalsComing')}</p>}>
        <Sums {...props} />
      </Suspense>
    </section>
  );
}
