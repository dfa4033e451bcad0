import './globals.css';
import type { Metadata, Viewport } from 'next';
import { headers } from 'next/headers';
import type { ReactNode } from 'react';
import type { Locale } from './_i18n/locales.ts';
import { requestLocale } from './_i18n/request-locale.ts';
import { siteMessages } from './_i18n/site-messages.ts';
import { dashboardMessages } from './dashboard/_i18n/messages.ts';
import { buyerLocale } from './pay/[invoiceId]/locale.ts';

export const viewport: Viewport = {
  width: 'device-width',
  initialScale: 1,
  colorScheme: 'light dark',
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#f5f6f8' },
    { media: '(prefers-color-scheme: dark)', color: '#0e1014' },
  ],
};

/** The language that the page at the request's address is in: not each speaks all. */
async function pageLocale(): Promise<Locale> {
  const [, section, name = ''] = ((await headers()).get('x-path') ?? '').split(/[/?]/);
  if (section === 'pay') return await buyerLocale(name);
  if (section === 'docs') return 'en';
  if (section === 'dashboard' || section === 'operator') return (await dashboardMessages()).locale;
  return await requestLocale();
}

export async function generateMetadata(): Promise<Metadata> {
  return {
    title: siteMessages(await pageLocale()).front.title,
    robots: { index: false, follow: false },
    referrer: 'same-origin',
    formatDetection: { telephone: false, date: false, address: false, email: false },
  };
}

// The language is the request's, so every page is rendered on request: which a
// policy with a nonce needs anyway.
export default async function RootLayout({ children }: { children: ReactNode }) {
  return (
    <html lang={await pageLocale()}>
      <body>{children}</body>
    </html>
  );
}
