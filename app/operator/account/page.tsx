import type { Metadata } from 'next';
import { viewerZone } from '../../dashboard/_server/zone.ts';
import { AccountPanels } from '../../dashboard/_shared/account/account-panels.tsx';
import { PageTitle } from '../../dashboard/_shared/page-title.tsx';
import { operatorMessages } from '../_i18n/messages.ts';
import { operatorSession } from '../_server/api.ts';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await operatorMessages()).t.nav.account };
}

/** The operator's own second factor, password and sessions: most of them are on no merchant's staff. */
export default async function OperatorAccountPage() {
  const { session, api } = await operatorSession();
  const [{ t }, sessions, secondFactor, timeZone] = await Promise.all([
    operatorMessages(),
    api.account.sessions(),
    api.security.secondFactor(),
    viewerZone('UTC'),
  ]);
  return (
    <>
      <PageTitle title={t.nav.account} />
      <p className="-mt-3 mb-5 text-muted">{session.user.email}</p>
      <AccountPanels environment="sandbox" {...{ timeZone, sessions, secondFactor }} />
    </>
  );
}
