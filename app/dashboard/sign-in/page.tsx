import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { providerChoices } from '#server/auth/providers.ts';
import { endOfSession, pendingSignIn } from '#server/auth/signed-out.ts';
import { settings } from '#server/settings/settings.ts';
import { dashboardMessages } from '../_i18n/messages.ts';
import { peopleMessages } from '../_i18n/people-messages.ts';
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
  return { title: (await dashboardMessages()).t.signIn.title };
}

function Said({ children }: { children: ReactNode }) {
  return (
    <p role="status" className="mt-6 rounded-xl bg-positive-soft p-4 text-positive">
      {children}
    </p>
  );
}

/** The two steps of a sign-in: which one is due, the session's row says. */
export default async function SignInPage({ searchParams }: Props) {
  const [{ t, locale }, people, { next, done, error }, visit] = await Promise.all([
    dashboardMessages(),
    peopleMessages(),
    searchParams,
    currentVisit(),
  ]);
  const isRefused = typeof error === 'string' && next === undefined;
  const returnPath = isRefused ? keptReturnPath(visit.cookies) : safeReturnPath(next);
  const pending = await pendingSignIn(visit);
  if (pending) {
    const { codeStep } = people;
    return (
      <LonePage
        locale={locale}
        title={codeStep.title}
        lead={
          <>
            {codeStep.lead}{' '}
            <span className="block break-words font-medium text-ink">{pending.email}</span>
          </>
        }
      >
        <CodeForm t={codeStep} returnPath={returnPath} />
      </LonePage>
    );
  }
  const hasSet = done === 'first' || done === 'password' || done === 'joined' || done === 'known';
  // Who was sent here from a screen, and not by what they have just done.
  const wasSentHere = next !== undefined && error === undefined && done === undefined;
  const end = wasSentHere ? await endOfSession(visit) : null;
  return (
    <LonePage locale={locale} title={t.signIn.title} lead={t.signIn.lead}>
      <noscript>
        <p className="mt-4 font-medium text-negative">{t.signIn.needsScript}</p>
      </noscript>
      {/* Stays: who tries the password that was not set has to read it once more. */}
      {done === 'known' && <Said>{people.signInMore.known}</Said>}
      <SignInForm
        t={t.signIn}
        typed={people.signInMore.typed}
        email={hasSet ? await keptAddress() : ''}
        returnPath={returnPath}
      >
        {hasSet && done !== 'known' && <Said>{people.signInMore[done]}</Said>}
        {end && (
          <p role="status" className="mt-6 rounded-xl bg-caution-soft p-4 text-caution">
            {people.signInMore[end]}
          </p>
        )}
        {typeof error === 'string' && (
          <p role="alert" className="mt-6 rounded-xl bg-negative-soft p-4 text-negative">
            {refusalText(error, people.providers)}
          </p>
        )}
      </SignInForm>
      <ProviderButtons
        providers={providerChoices(settings().providers)}
        t={people.providers}
        needsCookies={t.signIn.needsCookies}
        returnPath={returnPath}
      />
      <p className="mt-5">
        <a href="/dashboard/forgot-password" className="link-quiet inline-block py-1">
          {people.signInMore.forgot}
        </a>
      </p>
    </LonePage>
  );
}
