import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { isolated } from '../../_i18n/isolated.ts';
import { ImpersonationBanner } from '../../operator/_parts/impersonation-banner.tsx';
import { dashboardMessages } from '../_i18n/messages.ts';
import { peopleMessages } from '../_i18n/people-messages.ts';
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
  return { title: (await peopleMessages()).demand.title };
}

/** Where people land whose merchant demands a second factor that they do not have; and operators. */
export default async function SecondFactorPage({ searchParams }: Props) {
  const [{ t, locale }, people, { session, api }, { next }] = await Promise.all([
    dashboardMessages(),
    peopleMessages(),
    runningSession('sandbox'),
    searchParams,
  ]);
  const returnPath = safeReturnPath(next);
  const demand = demandOf(session, returnPath);
  if (!demand) redirect(returnPath);
  const [{ merchants }, { hasPassword }] = await Promise.all([
    api.account.person(),
    api.security.secondFactor(),
  ]);
  const others = merchants.filter(({ id }) => demand === 'gateway' || id !== session.merchant?.id);
  const words = people.demand;
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
        title={words.title}
        lead={demand === 'gateway' ? words.operatorLead : `${name} ${words.lead}`}
        isWide
      >
        <div className="mt-8">
          <SecondFactorBegin t={people.secondFactor} hasPassword={hasPassword} goTo={returnPath} />
        </div>
        <div className="mt-10 border-line border-t pt-4">
          {others.length > 0 && (
            <>
              <p className="text-muted text-sm">
                {demand === 'gateway' ? words.merchant : words.elsewhere}
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
            <SignOutButton label={words.signOut} className="link-quiet mx-3 py-2" />
          </div>
        </div>
        <Toasts t={t.toasts} />
      </LonePage>
    </div>
  );
}
