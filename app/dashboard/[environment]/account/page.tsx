import type { Metadata } from 'next';
import { requestLocale, surfaceLocale } from '#app/_i18n/request-locale.ts';
import { PageLink } from '#app/_ui/page-link.tsx';
import { translatorOf } from '#server/i18n/translator.ts';
import { dashboardSession } from '../../_server/api.ts';
import { viewerZone } from '../../_server/zone.ts';
import { AccountPanels } from '../../_shared/account/account-panels.tsx';
import { PageTitle } from '../../_shared/page-title.tsx';

export async function generateMetadata(): Promise<Metadata> {
  const t = translatorOf(await requestLocale(), 'dashboard.account');
  return { title: t('title') };
}

export default async function AccountPage({
  params,
}: {
  params: Promise<{ environment: string }>;
}) {
  const locale = await surfaceLocale('dashboard');
  const t = translatorOf(locale, 'dashboard');
  const { session, environment, api } = await dashboardSession((await params).environment);
  if (!session.merchant) return null;
  const [sessions, secondFactor, timeZone] = await Promise.all([
    api.account.sessions(),
    api.security.secondFactor(),
    viewerZone(session.merchant.timeZone),
  ]);
  return (
    <>
      <PageTitle title={t('account.title')}>
        <PageLink
          href={`/dashboard/${environment}/account/notifications`}
          className="button button-plain"
        >
          {t('notifications.open')}
        </PageLink>
      </PageTitle>
      <p className="-mt-3 mb-5 text-muted">
        {session.user.email} · {t(`roles.${session.merchant.role}`)}
      </p>
      <AccountPanels {...{ environment, timeZone, sessions, secondFactor }} />
    </>
  );
}
