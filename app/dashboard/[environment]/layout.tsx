import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import type { ReactNode } from 'react';
import { ClientMessages } from '#app/_i18n/client-messages.tsx';
import { surfaceLocale } from '#app/_i18n/request-locale.ts';
import { Banner } from '#app/_ui/banner.tsx';
import { HouseMark } from '#app/_ui/house-mark.tsx';
import { AlertIcon, FlaskIcon } from '#app/_ui/icons.tsx';
import { PageLink } from '#app/_ui/page-link.tsx';
import { translatorOf } from '#server/i18n/translator.ts';
import { ImpersonationBanner } from '../../operator/_parts/impersonation-banner.tsx';
import { operatorHref } from '../../operator/_parts/operator-href.ts';
import { currentAccount, dashboardSession } from '../_server/api.ts';
import { placesOf } from '../_server/places.ts';
import { askedPath } from '../_server/visit.ts';
import { viewerZone } from '../_server/zone.ts';
import { Toasts } from '../_shared/toasts.tsx';
import { EnvironmentSwitch } from '../_shell/environment-switch.tsx';
import { Navigation } from '../_shell/navigation.tsx';
import { PaletteOpener } from '../_shell/palette-opener.tsx';
import { UserMenu } from '../_shell/user-menu.tsx';
import { WithoutMerchant } from '../_shell/without-merchant.tsx';
import { ZoneTeller } from '../_shell/zone-teller.tsx';

type Props = { params: Promise<{ environment: string }>; children: ReactNode };

export async function generateMetadata(): Promise<Metadata> {
  const locale = await surfaceLocale('dashboard');
  const t = translatorOf(locale, 'dashboard');
  return { title: { default: t('title'), template: `%s · ${t('title')}` } };
}

/** The frame of the dashboard: the merchant, the environment, and the navigation. */
export default async function DashboardLayout({ params, children }: Props) {
  const locale = await surfaceLocale('dashboard');
  const t = translatorOf(locale, 'dashboard');
  const running = await dashboardSession((await params).environment);
  const { session, environment } = running;
  if (!session.merchant && session.isOperator) redirect(operatorHref(await askedPath()));
  if (!session.merchant) return <WithoutMerchant {...running} />;
  const current = await currentAccount(environment);
  const { user, merchant, merchants, permissions, takesPayments } = current;
  const NoteIcon = environment === 'sandbox' ? FlaskIcon : AlertIcon;
  const { screens, more, deeds } = await placesOf(environment, session, current);
  const timeZone = await viewerZone(merchant.timeZone);
  return (
    <ClientMessages
      locale={locale}
      namespaces={['dashboard.palette', 'dashboard.statuses', 'dashboard.user']}
    >
      <div
        lang={locale}
        data-shown-merchant={merchant.id}
        className="min-h-dvh lg:grid lg:grid-cols-[15rem_minmax(0,1fr)] print:block"
      >
        <a
          href="#main"
          className="button button-primary sr-only focus:not-sr-only focus:absolute focus:px-4.5 focus:py-2 focus:top-2 focus:left-2 focus:z-10"
        >
          {t('skip')}
        </a>
        <ZoneTeller shown={timeZone} />
        <div className="night flex flex-col gap-3 border-line border-b bg-(--canvas) p-3 print:hidden lg:sticky lg:top-0 lg:h-dvh lg:overflow-y-auto lg:border-r lg:border-b-0">
          <div className="flex flex-wrap items-center justify-between gap-2 lg:flex-col lg:flex-nowrap lg:items-stretch lg:gap-3">
            <UserMenu
              locale={locale}
              environment={environment}
              email={user.email}
              merchant={merchant}
              merchants={merchants}
            />
            <EnvironmentSwitch
              environment={environment}
              label={t('environment.label')}
              names={{ sandbox: t('environment.sandbox'), production: t('environment.production') }}
            />
            <PaletteOpener
              environment={environment}
              locale={locale}
              timeZone={timeZone}
              places={[...screens, ...more]}
              deeds={deeds}
            />
          </div>
          <Navigation label={t('nav.label')} items={screens} />
          <footer className="mt-auto hidden items-center gap-2.5 px-3 pt-4 pb-1 text-muted text-sm lg:flex">
            <HouseMark className="size-5 shrink-0 text-tile" />
            {translatorOf(locale, 'site')('front.title')}
          </footer>
        </div>
        <div className="min-w-0">
          {session.impersonatingUntilMs !== null && (
            <ImpersonationBanner
              merchant={merchant}
              untilMs={session.impersonatingUntilMs}
              timeZone={timeZone}
            />
          )}
          {(environment === 'sandbox' || !takesPayments) && (
            <aside
              aria-label={t(`environment.${environment}`)}
              className="flex items-center gap-2 border-caution-line border-b bg-caution-soft px-4 py-1.5 text-caution text-sm md:px-8"
            >
              <NoteIcon className="size-4 shrink-0" />
              <span>
                {environment === 'sandbox'
                  ? t('environment.sandboxNote')
                  : t('environment.noAcquirer')}{' '}
                {!takesPayments && permissions.includes('acquirer.manage') && (
                  <PageLink
                    href={`/dashboard/${environment}/payment-methods/connect`}
                    className="underline underline-offset-2"
                  >
                    {translatorOf(locale, 'acquirers')('connect')}
                  </PageLink>
                )}
              </span>
            </aside>
          )}
          <main
            id="main"
            tabIndex={-1}
            className="mx-auto max-w-6xl px-4 py-6 outline-none md:px-8"
          >
            {merchant.status === 'suspended' && (
              <div className="mb-6">
                <Banner tone="caution" title={t('suspended.title')}>
                  <p>{t('suspended.text')}</p>
                </Banner>
              </div>
            )}
            {children}
          </main>
        </div>
        <Toasts />
      </div>
    </ClientMessages>
  );
}
