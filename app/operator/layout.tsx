import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { ClientMessages } from '#app/_i18n/client-messages.tsx';
import { surfaceLocale } from '#app/_i18n/request-locale.ts';
import { Banner } from '#app/_ui/banner.tsx';
import { HouseMark } from '#app/_ui/house-mark.tsx';
import { LanguageSelector } from '#app/_ui/language-selector.tsx';
import { localesOf, translatorOf } from '#server/i18n/translator.ts';
import { viewerZone } from '../dashboard/_server/zone.ts';
import { SignOutButton } from '../dashboard/_shared/account/sign-out-button.tsx';
import { Toasts } from '../dashboard/_shared/toasts.tsx';
import { Navigation } from '../dashboard/_shell/navigation.tsx';
import { ZoneTeller } from '../dashboard/_shell/zone-teller.tsx';
import { operatorSession } from './_server/api.ts';

export async function generateMetadata(): Promise<Metadata> {
  const t = translatorOf(await surfaceLocale('operator'), 'operator');
  return { title: { default: t('title'), template: `%s · ${t('title')}` } };
}

/** The frame of the operator's pages. */
export default async function OperatorLayout({ children }: { children: ReactNode }) {
  const locale = await surfaceLocale('operator');
  const t = translatorOf(locale, 'operator');
  const { session } = await operatorSession();
  const items = [
    { href: '/operator/overview', text: t('nav.overview') },
    { href: '/operator/merchants', text: t('nav.merchants') },
    { href: '/operator/acquirers', text: t('nav.acquirers') },
    { href: '/operator/audit-log', text: t('nav.auditLog') },
    ...(session.merchant ? [{ href: '/dashboard/sandbox', text: t('nav.dashboard') }] : []),
    { href: '/operator/account', text: t('nav.account') },
  ];
  return (
    <ClientMessages locale={locale} namespaces={['script', 'dashboard.toasts']}>
      <div
        lang={locale}
        className="min-h-dvh lg:grid lg:grid-cols-[15rem_minmax(0,1fr)] print:block"
      >
        <a
          href="#main"
          className="button button-primary sr-only focus:not-sr-only focus:absolute focus:px-4.5 focus:py-2 focus:top-2 focus:left-2 focus:z-10"
        >
          {t('skip')}
        </a>
        <ZoneTeller shown={await viewerZone('UTC')} />
        <header className="night flex flex-col gap-3 border-line border-b bg-(--canvas) p-3 print:hidden lg:sticky lg:top-0 lg:h-dvh lg:overflow-y-auto lg:border-r lg:border-b-0">
          <div className="flex items-center gap-3 px-2 py-1.5">
            <HouseMark className="size-7 shrink-0 text-tile" />
            <p className="min-w-0">
              <span className="block font-semibold">{t('title')}</span>
              <span className="block truncate text-muted text-xs">{session.user.email}</span>
            </p>
          </div>
          <Navigation label={t('nav.label')} items={items} />
          <div className="flex flex-wrap items-center justify-between gap-2 text-[0.9375rem] lg:mt-auto lg:block lg:border-line lg:border-t lg:pt-2">
            <div className="shrink-0">
              <SignOutButton label={t('signOut')} />
            </div>
            <div className="min-w-0 px-3 py-1">
              <LanguageSelector locale={locale} locales={localesOf('operator')} />
            </div>
          </div>
        </header>
        <div className="min-w-0">
          <main
            id="main"
            tabIndex={-1}
            className="mx-auto max-w-6xl px-4 py-6 outline-none md:px-8"
          >
            {!session.hasSecondFactor && (
              <div className="mb-6">
                <Banner tone="caution" title={t('secondFactor.off')}>
                  <p>
                    {t('secondFactor.text')}{' '}
                    <a href="/operator/account#second-factor" className="link">
                      {t('secondFactor.setUp')}
                    </a>
                  </p>
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
