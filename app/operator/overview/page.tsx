import type { Metadata } from 'next';
import { Banner } from '#app/_ui/banner.tsx';
import { CheckIcon } from '#app/_ui/icons.tsx';
import { viewerZone } from '../../dashboard/_server/zone.ts';
import { PageTitle } from '../../dashboard/_shared/page-title.tsx';
import { operatorMessages } from '../_i18n/messages.ts';
import { Figures } from '../_parts/figures.tsx';
import { ProcessList } from '../_parts/process-list.tsx';
import { troublesOf } from '../_parts/troubles.ts';
import { PendingCaptures, RecoveryList } from '../_parts/waiting-payments.tsx';
import { operatorSession } from '../_server/api.ts';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await operatorMessages()).t.overview.title };
}

export default async function OperatorOverviewPage() {
  const { api } = await operatorSession();
  const [{ t, locale }, overview, timeZone] = await Promise.all([
    operatorMessages(),
    api.operator.overview(),
    viewerZone('UTC'),
  ]);
  const words = t.overview;
  const troubles = troublesOf(overview);
  const view = { t, locale, timeZone, overview };
  return (
    <>
      <PageTitle title={words.title}>
        <a href="/operator/merchants" className="text-muted text-sm hover:text-ink">
          {words.merchantsActive} {overview.merchants.active}
          {overview.merchants.suspended > 0 &&
            `, ${words.merchantsSuspended} ${overview.merchants.suspended}`}
        </a>
      </PageTitle>
      <div className="wrap-anywhere grid grid-cols-1 gap-5">
        {troubles.length > 0 ? (
          <Banner tone="negative" title={words.attention}>
            <ul className="list-disc pl-5">
              {troubles.map((trouble) => (
                <li key={trouble}>{words[trouble]}</li>
              ))}
            </ul>
          </Banner>
        ) : (
          <p className="flex items-center gap-3 rounded-xl border border-line bg-positive-soft p-4 text-[0.9375rem]">
            <CheckIcon className="size-5 shrink-0 text-positive" />
            <span>
              <strong className="font-semibold">{words.well}.</strong> {words.wellText}
            </span>
          </p>
        )}
        <Figures {...view} />
        <ProcessList {...view} />
        <RecoveryList {...view} />
        <PendingCaptures {...view} />
      </div>
    </>
  );
}
