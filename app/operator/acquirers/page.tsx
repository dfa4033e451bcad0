import type { Metadata } from 'next';
import { requestLocale, surfaceLocale } from '#app/_i18n/request-locale.ts';
import { translatorOf } from '#server/i18n/translator.ts';
import { viewerZone } from '../../dashboard/_server/zone.ts';
import { BookDifferenceItem } from '../../dashboard/_shared/book-difference.tsx';
import type { SearchParams } from '../../dashboard/_shared/lists/query-text.ts';
import { Notice } from '../../dashboard/_shared/notice.tsx';
import { PageTitle } from '../../dashboard/_shared/page-title.tsx';
import { AcquirerResults } from '../_parts/acquirer-results.tsx';
import { EnvironmentSwitch, environmentIn } from '../_parts/environment-switch.tsx';
import { OverdueAccounts } from '../_parts/overdue-accounts.tsx';
import { operatorSession } from '../_server/api.ts';

export async function generateMetadata(): Promise<Metadata> {
  const t = translatorOf(await requestLocale(), 'operator.acquirers');
  return { title: t('title') };
}

export default async function AcquirersPage({
  searchParams,
}: {
  searchParams: Promise<SearchParams>;
}) {
  const locale = await surfaceLocale('operator');
  const t = translatorOf(locale, 'operator.acquirers');
  const words = translatorOf(locale, 'acquirers.differences');
  const { api } = await operatorSession();
  const environment = environmentIn((await searchParams).environment);
  const [{ acquirers, accounts, refunds, differences, at }, timeZone] = await Promise.all([
    api.operator.acquirers({ environment }),
    viewerZone('UTC'),
  ]);
  const view = { locale, timeZone, at };
  return (
    <>
      <PageTitle title={t('title')} />
      <div className="mb-5">
        <EnvironmentSwitch path="/operator/acquirers" {...{ locale, environment }} />
      </div>
      {acquirers.length > 0 && <AcquirerResults {...{ locale, environment, acquirers }} />}
      {accounts.length === 0 && refunds.length === 0 && differences.length === 0 && (
        <Notice title={t('empty')} text={t('emptyText')} />
      )}
      {accounts.length > 0 && <OverdueAccounts kind="payments" {...{ ...view, accounts }} />}
      {refunds.length > 0 && (
        <section className="mt-8 first:mt-0" aria-labelledby="refunds">
          <h2 id="refunds" className="mb-1 font-semibold text-lg">
            {t('refunds.title')}
          </h2>
          <OverdueAccounts kind="refunds" {...{ ...view, accounts: refunds }} />
        </section>
      )}
      {differences.length > 0 && (
        <section className="mt-8">
          <h2 id="differences" className="mb-3 font-semibold text-lg">
            {words('title')}
          </h2>
          <ol aria-labelledby="differences" className="grid grid-cols-1 gap-4">
            {differences.map((each) => (
              <BookDifferenceItem
                key={each.id}
                difference={each}
                merchant={
                  <a className="link" href={`/operator/merchants/${each.merchantId}`}>
                    <bdi>{each.merchantName}</bdi>
                  </a>
                }
                {...{ locale, timeZone }}
              />
            ))}
          </ol>
        </section>
      )}
    </>
  );
}
