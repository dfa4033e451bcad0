import './globals.css';
import type { Metadata, Viewport } from 'next';
import { headers } from 'next/headers';
import type { ReactNode } from 'react';
import { messagesAt, translatorOf } from '#server/i18n/translator.ts';
import type { Locale } from '#server/lib/locales.ts';
import { FaultWordsProvider } from './_i18n/fault-words.tsx';
import { requestLocale, surfaceLocale } from './_i18n/request-locale.ts';
import { docsLanguageAt } from './docs/_content/docs-language.ts';
import { linkLocale } from './link/[code]/locale.ts';
import { buyerLocale } from './pay/[invoiceId]/locale.ts';

export const viewport: Viewport = {
  width: 'device-width',
  initialScale: 1,
  colorScheme: 'light dark',
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#f6f0e4' },
    { media: '(prefers-color-scheme: dark)', color: '#0c1640' },
  ],
};

/** The language of the page at the request's address; some pages do not have all languages. */
async function pageLocale(): Promise<Locale> {
  const path = (await headers()).get('x-path') ?? '';
  const [, section, name = ''] = path.split(/[/?]/);
  if (section === 'pay') return await buyerLocale(name);
  if (section === 'link') return await linkLocale(name);
  if (section === 'docs') return docsLanguageAt(path);
  if (section === 'dashboard' || section === 'operator') return await surfaceLocale(section);
  return await requestLocale();
}

export async function generateMetadata(): Promise<Metadata> {
  return {
    title: translatorOf(await pageLocale(), 'site')('front.title'),
    robots: { index: false, follow: false },
    referrer: 'same-origin',
    formatDetection: { telephone: false, date: false, address: false, email: false },
  };
}

// The request decides the language, so every page is rendered on request. A policy with a nonce
// needs that anyway.
export default async function RootLayout({ children }: { children: ReactNode }) {
  const locale = await pageLocale();
  const { error, updated } = messagesAt(locale, 'site');
  return (
    <html lang={locale}>
      <body>
        <FaultWordsProvider words={{ error, updated }}>{children}</FaultWordsProvider>
      </body>
    </html>
  );
}
