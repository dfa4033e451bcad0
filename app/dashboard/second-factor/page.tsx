import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { ClientMessages } from '#app/_i18n/client-messages.tsx';
import { requestLocale, surfaceLocale } from '#app/_i18n/request-locale.ts';
import { translatorOf } from '#server/i18n/translator.ts';
import { isolated } from '../../_i18n/isolated.ts';
import { ImpersonationBanner } from '../../operator/_parts/impersonation-banner.tsx';
import { runningSession } from '../_server/api.ts';
import { viewerZone } from '../_server/zone.ts';
import { safeReturnPath } from '../_shared/account/return-path.ts';
import { SignOutButton } from '../_shared/account/sign-out-button.tsx';
import { ActionButton } from '../_shared/forms/action-button.tsx';
import { Toasts } from '../_shared/toasts.tsx';
import { LonePage } from '../_shell/lone-page.tsx';
import { demandOf } from './_parts/demand-of.ts';
import { SecondFactorBegin } from './_parts/second-factor-begin.tsx';

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> };

export async function generateMetadata(): Promise<Metadata> {
  const t = translatorOf(await requestLocale(), 'dashboard.demand');
  return { title: t('title') };
}

/** The page for people whose merchant demands a second factor that they lack, and for operators. */
export default async function SecondFactorPage({ searchParams }: Props) {
  const locale = await surfaceLocale('dashboard');
  const t = translatorOf(locale, 'dashboard.demand');
  const [{ session, api }, { next }] = await Promise.all([runningSession('sandbox'), searchParams]);
  const returnPath = safeReturnPath(next);
  const demand = demandOf(session, returnPath);
  if (!demand) redirect(returnPath);
  const [{ merchants }, { hasPassword }] = await Promise.all([
    api.account.person(),
    api.security.secondFactor(),
  ]);
  const others = merchants.filter(({ id }) => demand === 'gateway' || id !== session.merchant?.id);
  const name = session.merchant && isolated(session.merchant.name);
  return (
    <div lang={locale}>
      {session.merchant && session.impersonatingUntilMs !== null && (
        <ImpersonationBanner
          merchant={session.merchant}
          untilMs={session.impersonatingUntilMs}
          timeZone={await viewerZone(session.merchant.timeZone)}
        />
      )}
      <LonePage
        locale={locale}
        title={t('title')}
        lead={demand === 'gateway' ? t('operatorLead') : `${name} ${t('lead')}`}
        isWide
      >
        <div className="mt-8">
          <ClientMessages
            locale={locale}
            namespaces={['dashboard.secondFactor', 'dashboard.typed']}
          >
            <SecondFactorBegin hasPassword={hasPassword} goTo={returnPath} />
          </ClientMessages>
        </div>
        <div className="mt-10 border-line border-t pt-4">
          {others.length > 0 && (
            <>
              <p className="text-muted text-sm">
                {demand === 'gateway' ? t('merchant') : t('elsewhere')}
              </p>
              <ul className="my-2 flex flex-wrap gap-2">
                {others.map(({ id, name }) => (
                  <li key={id}>
                    <ActionButton
                      environment="sandbox"
                      action={{ does: 'switchMerchant', merchantId: id }}
                      goTo="/dashboard"
                      label={name}
                    />
                  </li>
                ))}
              </ul>
            </>
          )}
          <div className="-mx-3">
            <SignOutButton label={t('signOut')} className="link-quiet mx-3 py-2" />
          </div>
        </div>
        <Toasts />
      </LonePage>
    </div>
  );
}
