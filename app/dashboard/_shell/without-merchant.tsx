import { surfaceLocale } from '#app/_i18n/request-locale.ts';
import { translatorOf } from '#server/i18n/translator.ts';
import type { dashboardSession } from '../_server/api.ts';
import { viewerZone } from '../_server/zone.ts';
import { AccountPanels } from '../_shared/account/account-panels.tsx';
import { SignOutButton } from '../_shared/account/sign-out-button.tsx';
import { Toasts } from '../_shared/toasts.tsx';
import { LonePage } from './lone-page.tsx';
import { ZoneTeller } from './zone-teller.tsx';

/** The page for somebody on no merchant's staff: the reason, and their remaining account. */
export async function WithoutMerchant({
  session,
  environment,
  api,
}: Awaited<ReturnType<typeof dashboardSession>>) {
  const locale = await surfaceLocale('dashboard');
  const t = translatorOf(locale, 'dashboard');
  const [sessions, secondFactor, timeZone] = await Promise.all([
    api.account.sessions(),
    api.security.secondFactor(),
    viewerZone('UTC'),
  ]);
  const lead = (
    <>
      {t('noMerchant.text')}{' '}
      <span className="inline-block max-w-full break-words font-medium text-ink">
        {session.user.email}
      </span>
    </>
  );
  return (
    <LonePage locale={locale} title={t('noMerchant.title')} lead={lead} isWide>
      <ZoneTeller shown={timeZone} />
      <div className="mt-8">
        <AccountPanels {...{ environment, timeZone, sessions, secondFactor }} />
      </div>
      <div className="-mx-3 mt-6">
        <SignOutButton label={t('user.signOut')} className="link-quiet mx-3 py-2" />
      </div>
      <Toasts />
    </LonePage>
  );
}
