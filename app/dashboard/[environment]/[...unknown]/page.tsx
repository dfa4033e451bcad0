import type { Metadata } from 'next';
import { dashboardMessages } from '../../_i18n/messages.ts';
import { NothingHere, nothingHereMetadata } from '../../_shell/nothing-here.tsx';

export async function generateMetadata(): Promise<Metadata> {
  return nothingHereMetadata((await dashboardMessages()).locale);
}

export default async function UnknownScreen({
  params,
}: {
  params: Promise<{ environment: string }>;
}) {
  const [{ environment }, { t, locale }] = [await params, await dashboardMessages()];
  const way = { href: `/dashboard/${environment}/invoices`, text: t.invoice.back };
  return <NothingHere locale={locale} way={way} />;
}
