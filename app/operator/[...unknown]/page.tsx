import type { Metadata } from 'next';
import { NothingHere, nothingHereMetadata } from '../../dashboard/_shell/nothing-here.tsx';
import { operatorMessages } from '../_i18n/messages.ts';

export async function generateMetadata(): Promise<Metadata> {
  return nothingHereMetadata((await operatorMessages()).locale);
}

export default async function UnknownScreen() {
  const { t, locale } = await operatorMessages();
  return <NothingHere locale={locale} way={{ href: '/operator/overview', text: t.nav.overview }} />;
}
