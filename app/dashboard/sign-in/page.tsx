import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { ClientMessages } from '#app/_i18n/client-messages.tsx';
import { requestLocale, surfaceLocale } from '#app/_i18n/request-locale.ts';
import { providerChoices } from '#server/auth/providers.ts';
import { endOfSession, pendingSignIn } from '#server/auth/signed-out.ts';
import { translatorOf } from '#server/i18n/translator.ts';
import { settings } from '#server/settings/settings.ts';
import { keptAddress } from '../_server/kept-address.ts';
import { currentVisit } from '../_server/visit.ts';
import { keptReturnPath, safeReturnPath } from '../_shared/account/return-path.ts';
import { LonePage } from '../_shell/lone-page.tsx';
import { CodeForm } from './_parts/code-form.tsx';
import { ProviderButtons } from './_parts/provider-buttons.tsx';
import { refusalText } from './_parts/refusal-text.ts';
import { SignInForm } from './_parts/sign-in-form.tsx';

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> };

export async function generateMetadata(): Promise<Metadata> {
  const t = translatorOf(await requestLocale(), 'dashboard.signIn');
  return { title: t('title') };
}

function Said({ children }: { children: ReactNode }) {
  return (
    <p role="status" className="mt-6 rounded-xl bg-positive-soft p-4 text-positive">
      {children}
    </p>
  );
}

/** The two steps of a sign-in; the session's row tells which one is due. */
export default async function SignInPage({ searchParams }: Props) {
  const locale = await surfaceLocale('dashboard');
  const t = translatorOf(locale, 'dashboard');
  const providers = translatorOf(locale, 'dashboard.providers');
  const [{ next, done, error }, visit] = await Promise.all([searchParams, currentVisit()]);
  const isRefused = typeof error === 'string' && next === undefined;
  const returnPath = isRefused ? keptReturnPath(visit.cookies) : safeReturnPath(next);
  const pending = await pendingSignIn(visit);
  if (pending) {
    return (
      <LonePage
        locale={locale}
        title={t('codeStep.title')}
        lead={
          <>
            {t('codeStep.lead')}{' '}
            <span className="block break-words font-medium text-ink">{pending.email}</span>
          </>
        }
      >
        <ClientMessages locale={locale} namespaces={['dashboard.codeStep']}>
          <CodeForm returnPath={returnPath} />
        </ClientMessages>
      </LonePage>
    );
  }
  const hasSet = done === 'first' || done === 'password' || done === 'joined' || done === 'known';
  // A screen sent the person here, not their own last action.
  const wasSentHere = next !== undefined && error === undefined && done === undefined;
  const end = wasSentHere ? await endOfSession(visit) : null;
  return (
    <LonePage locale={locale} title={t('signIn.title')} lead={t('signIn.lead')}>
      <noscript>
        <p className="mt-4 font-medium text-negative">{t('signIn.needsScript')}</p>
      </noscript>
      {/* The message stays: a user who tries the rejected password has to read it again. */}
      {done === 'known' && <Said>{t('signInMore.known')}</Said>}
      <ClientMessages
        locale={locale}
        namespaces={['dashboard.signIn', 'dashboard.typed', 'dashboard.providers']}
      >
        <SignInForm email={hasSet ? await keptAddress() : ''} returnPath={returnPath}>
          {hasSet && done !== 'known' && <Said>{t(`signInMore.${done}`)}</Said>}
          {end && (
            <p role="status" className="mt-6 rounded-xl bg-caution-soft p-4 text-caution">
              {t(`signInMore.${end}`)}
            </p>
          )}
          {typeof error === 'string' && (
            <p role="alert" className="mt-6 rounded-xl bg-negative-soft p-4 text-negative">
              {refusalText(error, providers)}
            </p>
          )}
        </SignInForm>
        <ProviderButtons
          providers={providerChoices(settings().providers)}
          needsCookies={t('signIn.needsCookies')}
          returnPath={returnPath}
        />
      </ClientMessages>
      <p className="mt-5">
        <a href="/dashboard/forgot-password" className="link-quiet inline-block py-1">
          {t('signInMore.forgot')}
        </a>
      </p>
    </LonePage>
  );
}
