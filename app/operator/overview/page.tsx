import type { Metadata } from 'next';
import { requestLocale, surfaceLocale } from '#app/_i18n/request-locale.ts';
import { Banner } from '#app/_ui/banner.tsx';
import { CheckIcon } from '#app/_ui/icons.tsx';
import { translatorOf } from '#server/i18n/translator.ts';
import { viewerZone } from '../../dashboard/_server/zone.ts';
import { PageTitle } from '../../dashboard/_shared/page-title.tsx';
import { Figures } from '../_parts/figures.tsx';
import { ProcessList } from '../_parts/process-list.tsx';
import { troublesOf } from '../_parts/troubles.ts';
import { OverduePayments, PendingCaptures, RecoveryList } from '../_parts/waiting-payments.tsx';
import { operatorSession } from '../_server/api.ts';

export async function generateMetadata(): Promise<Metadata> {
  const t = translatorOf(await requestLocale(), 'operator.overview');
  return { title: t('title') };
}

export default async function OperatorOverviewPage() {
  const locale = await surfaceLocale('operator');
  const t = translatorOf(locale, 'operator.overview');
  const { api } = await operatorSession();
  const [overview, timeZone] = await Promise.all([api.operator.overview(), viewerZone('UTC')]);
  const troubles = troublesOf(overview);
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
        {troubles.length > 0 ? (
          <Banner tone="negative" title={t('attention')}>
            <ul className="list-disc pl-5">
              {troubles.map((trouble) => (
                <li key={trouble}>{t(trouble)}</li>
              ))}
            </ul>
          </Banner>
        ) : (
          <p className="flex items-center gap-3 rounded-xl border border-line bg-positive-soft p-4 text-[0.9375rem]">
            <CheckIcon className="size-5 shrink-0 text-positive" />
            <span>
              <strong className="font-semibold">{t('well')}.</strong> {t('wellText')}
            </span>
          </p>
        )}
        <Figures {...view} />
        <ProcessList {...view} />
        <RecoveryList {...view} />
        <OverduePayments {...view} />
        <PendingCaptures {...view} />
      </div>
    </>
  );
}
