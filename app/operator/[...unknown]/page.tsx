import type { Metadata } from 'next';
import { surfaceLocale } from '#app/_i18n/request-locale.ts';
import { translatorOf } from '#server/i18n/translator.ts';
import { NothingHere, nothingHereMetadata } from '../../dashboard/_shell/nothing-here.tsx';

export async function generateMetadata(): Promise<Metadata> {
  return nothingHereMetadata(await surfaceLocale('operator'));
}

export default async function UnknownScreen() {
  const locale = await surfaceLocale('operator');
  const t = translatorOf(locale, 'operator.nav');
  return <NothingHere locale={locale} way={{ href: '/operator/overview', text: t('overview') }} />;
}
