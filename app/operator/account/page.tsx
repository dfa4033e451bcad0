import type { Metadata } from 'next';
import { requestLocale, surfaceLocale } from '#app/_i18n/request-locale.ts';
import { translatorOf } from '#server/i18n/translator.ts';
import { viewerZone } from '../../dashboard/_server/zone.ts';
import { AccountPanels } from '../../dashboard/_shared/account/account-panels.tsx';
import { PageTitle } from '../../dashboard/_shared/page-title.tsx';
import { operatorSession } from '../_server/api.ts';

export async function generateMetadata(): Promise<Metadata> {
  const t = translatorOf(await requestLocale(), 'operator.nav');
  return { title: t('account') };
}

/** The operator's own second factor, password and sessions: most are on no merchant's staff. */
export default async function OperatorAccountPage() {
  const locale = await surfaceLocale('operator');
  const t = translatorOf(locale, 'operator.nav');
  const { session, api } = await operatorSession();
  const [sessions, secondFactor, timeZone] = await Promise.all([
    api.account.sessions(),
    api.security.secondFactor(),
    viewerZone('UTC'),
  ]);
  return (
    <>
      <PageTitle title={t('account')} />
      <p className="-mt-3 mb-5 text-muted">{session.user.email}</p>
      <AccountPanels environment="sandbox" {...{ timeZone, sessions, secondFactor }} />
    </>
  );
}
