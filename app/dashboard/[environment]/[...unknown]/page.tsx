import type { Metadata } from 'next';
import { surfaceLocale } from '#app/_i18n/request-locale.ts';
import { translatorOf } from '#server/i18n/translator.ts';
import { NothingHere, nothingHereMetadata } from '../../_shell/nothing-here.tsx';

export async function generateMetadata(): Promise<Metadata> {
  return nothingHereMetadata(await surfaceLocale('dashboard'));
}

export default async function UnknownScreen({
  params,
}: {
  params: Promise<{ environment: string }>;
}) {
  const locale = await surfaceLocale('dashboard');
  const t = translatorOf(locale, 'dashboard.invoice');
  const { environment } = await params;
  const way = { href: `/dashboard/${environment}/invoices`, text: t('back') };
  return <NothingHere locale={locale} way={way} />;
}
