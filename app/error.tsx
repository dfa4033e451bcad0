'use client';

import { isLocale } from './_i18n/locales.ts';
import { siteMessages } from './_i18n/site-messages.ts';

/** The last resort for a fault of ours; what a buyer needs is handled before it comes to this. */
export default function ErrorPage() {
  const lang = globalThis.document?.documentElement.lang;
  const { error } = siteMessages(isLocale(lang) ? lang : 'en');
  return (
    <main className="mx-auto grid min-h-dvh max-w-xl content-center gap-3 px-6 py-16">
      <h1 className="font-semibold text-3xl tracking-tight">{error.title}</h1>
      <p className="text-muted">{error.text}</p>
      <p className="pt-3">
        <button
          type="button"
          className="button button-primary"
          onClick={() => window.location.reload()}
        >
          {error.again}
        </button>
      </p>
    </main>
  );
}
