import './globals.css';
import type { Metadata, Viewport } from 'next';
import type { ReactNode } from 'react';
import { requestLocale } from './_i18n/request-locale.ts';

export const metadata: Metadata = {
  title: 'Payment gateway',
  robots: { index: false, follow: false },
  referrer: 'same-origin',
  formatDetection: { telephone: false, date: false, address: false, email: false },
};

export const viewport: Viewport = {
  width: 'device-width',
  initialScale: 1,
  colorScheme: 'light dark',
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#f5f6f8' },
    { media: '(prefers-color-scheme: dark)', color: '#0e1014' },
  ],
};

// The language is the request's, so every page is rendered on request: which a
// policy with a nonce needs anyway.
export default async function RootLayout({ children }: { children: ReactNode }) {
  return (
    <html lang={await requestLocale()}>
      <body>{children}</body>
    </html>
  );
}
