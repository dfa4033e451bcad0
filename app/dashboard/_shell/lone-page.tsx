import type { ReactNode } from 'react';
import { LanguageSelector } from '#app/_ui/language-selector.tsx';
import { localesOf } from '#server/i18n/translator.ts';
import type { Locale } from '#server/lib/locales.ts';

/** A page outside the dashboard's frame: the sign-in and its related pages. */
export function LonePage({
  locale,
  title,
  lead,
  isWide = false,
  children,
}: {
  locale: Locale;
  title: string;
  lead?: ReactNode;
  isWide?: boolean;
  children?: ReactNode;
}) {
  const width = isWide ? 'max-w-xl' : 'max-w-md';
  return (
    <div lang={locale} className={`mx-auto flex min-h-dvh flex-col px-4 py-10 sm:py-20 ${width}`}>
      <div aria-hidden="true" className="frieze absolute inset-x-0 top-0" />
      <main className="flex-1">
        <img src="/icon.svg" alt="" width="44" height="44" />
        <h1 className="mt-6 font-semibold text-3xl tracking-tight">{title}</h1>
        {lead && <p className="mt-1 text-muted">{lead}</p>}
        {children}
      </main>
      <footer className="pt-10">
        <LanguageSelector locale={locale} locales={localesOf('dashboard')} />
      </footer>
    </div>
  );
}
