import type { Metadata } from 'next';
import { LanguageSelector } from '#app/_ui/language-selector.tsx';
import { dashboardMessages } from '../_i18n/messages.ts';
import { safeReturnPath } from '../_parts/return-path.ts';
import { SignInForm } from '../_parts/sign-in-form.tsx';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await dashboardMessages()).t.signIn.title };
}

export default async function SignInPage({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const [{ t, locale }, { next }] = await Promise.all([dashboardMessages(), searchParams]);
  return (
    <div lang={locale} className="mx-auto flex min-h-dvh max-w-md flex-col px-4 py-10 sm:py-20">
      <main className="flex-1">
        <img src="/icon.svg" alt="" width="44" height="44" />
        <h1 className="mt-6 font-semibold text-3xl tracking-tight">{t.signIn.title}</h1>
        <p className="mt-1 text-muted">{t.signIn.lead}</p>
        <noscript>
          <p className="mt-4 font-medium text-negative">{t.signIn.needsScript}</p>
        </noscript>
        <SignInForm t={t.signIn} returnPath={safeReturnPath(next)} />
      </main>
      <footer className="pt-10">
        <LanguageSelector locale={locale} label="Language" />
      </footer>
    </div>
  );
}
