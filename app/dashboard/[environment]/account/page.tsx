import type { Metadata } from 'next';
import { dashboardMessages } from '../../_i18n/messages.ts';
import { dashboardSession } from '../../_server/api.ts';
import { viewerZone } from '../../_server/zone.ts';
import { AccountPanels } from '../../_shared/account/account-panels.tsx';
import { PageTitle } from '../../_shared/page-title.tsx';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await dashboardMessages()).t.account.title };
}

export default async function AccountPage({
  params,
}: {
  params: Promise<{ environment: string }>;
}) {
  const { session, environment, api } = await dashboardSession((await params).environment);
  if (!session.merchant) return null;
  const [{ t }, sessions, secondFactor, timeZone] = await Promise.all([
    dashboardMessages(),
    api.account.sessions(),
    api.security.secondFactor(),
    viewerZone(session.merchant.timeZone),
  ]);
  return (
    <>
      <PageTitle title={t.account.title} />
      <p className="-mt-3 mb-5 text-muted">
        {session.user.email} · {t.roles[session.merchant.role]}
      </p>
      <AccountPanels {...{ environment, timeZone, sessions, secondFactor }} />
    </>
  );
}
