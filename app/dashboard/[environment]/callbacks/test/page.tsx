import type { Metadata } from 'next';
import { dashboardMessages } from '../../../_i18n/messages.ts';
import { dashboardSession } from '../../../_server/api.ts';
import { BackLink } from '../../../_shared/back-link.tsx';
import { Notice } from '../../../_shared/notice.tsx';
import { PageTitle } from '../../../_shared/page-title.tsx';
import { EndpointTrial } from '../_parts/endpoint-trial.tsx';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await dashboardMessages()).t.callbacks.test.title };
}

/** An invoice's id is never `test`, so this screen and a callback's cannot meet. */
export default async function EndpointTrialPage({
  params,
}: {
  params: Promise<{ environment: string }>;
}) {
  const { session, environment, api } = await dashboardSession((await params).environment);
  if (!session.merchant) return null;
  const [{ t, locale }, { permissions }, newest] = await Promise.all([
    dashboardMessages(),
    api.account.current(),
    api.callbacks.list({ limit: 1 }),
  ]);
  const words = t.callbacks.test;
  const isSuspended = session.merchant.status === 'suspended';
  const why = isSuspended
    ? { title: t.suspended.rests }
    : { title: t.noPermission.title, text: words.noRole };
  return (
    <>
      <BackLink href={`/dashboard/${environment}/callbacks`} text={t.callbacks.title} />
      <PageTitle title={words.title} />
      {permissions.includes('callback.test') ? (
        <EndpointTrial
          environment={environment}
          t={t.callbacks}
          locale={locale}
          statuses={t.statuses}
          lastUrl={newest.callbacks[0]?.url ?? ''}
        />
      ) : (
        <Notice {...why} />
      )}
    </>
  );
}
