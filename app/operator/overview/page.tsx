import type { Metadata } from 'next';
import { requestLocale, surfaceLocale } from '#app/_i18n/request-locale.ts';
import { translatorOf } from '#server/i18n/translator.ts';
import { viewerZone } from '../../dashboard/_server/zone.ts';
import type { SearchParams } from '../../dashboard/_shared/lists/query-text.ts';
import { PageTitle } from '../../dashboard/_shared/page-title.tsx';
import { EnvironmentSwitch, environmentIn } from '../_parts/environment-switch.tsx';
import { Figures } from '../_parts/figures.tsx';
import { ProcessList } from '../_parts/process-list.tsx';
import { Verdict } from '../_parts/verdict.tsx';
import { PendingCaptures, RecoveryList } from '../_parts/waiting-payments.tsx';
import { operatorSession } from '../_server/api.ts';

export async function generateMetadata(): Promise<Metadata> {
  const t = translatorOf(await requestLocale(), 'operator.overview');
  return { title: t('title') };
}

export default async function OperatorOverviewPage({
  searchParams,
}: {
  searchParams: Promise<SearchParams>;
}) {
  const locale = await surfaceLocale('operator');
  const t = translatorOf(locale, 'operator.overview');
  const { api } = await operatorSession();
  const environment = environmentIn((await searchParams).environment);
  const [overview, timeZone] = await Promise.all([
    api.operator.overview({ environment }),
    viewerZone('UTC'),
  ]);
  const view = { locale, timeZone, overview };
  return (
    <>
      <PageTitle title={t('title')}>
        <a href="/operator/merchants" className="text-muted text-sm hover:text-ink">
          {t('merchantsActive')} {overview.merchants.active}
          {overview.merchants.suspended > 0 &&
            `, ${t('merchantsSuspended')} ${overview.merchants.suspended}`}
        </a>
      </PageTitle>
      <div className="wrap-anywhere grid grid-cols-1 gap-5">
        <EnvironmentSwitch path="/operator/overview" {...{ locale, environment }} />
        <Verdict {...view} />
        <RecoveryList {...view} />
        <PendingCaptures {...view} />
        <h2 className="mt-3 font-semibold text-lg">{t('gateway')}</h2>
        <Figures {...view} />
        <ProcessList {...view} />
      </div>
    </>
  );
}
