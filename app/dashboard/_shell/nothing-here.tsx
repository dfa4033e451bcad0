import type { Metadata } from 'next';
import { translatorOf } from '#server/i18n/translator.ts';
import type { Locale } from '#server/lib/locales.ts';
import { Notice } from '../_shared/notice.tsx';

export const nothingHereMetadata = (locale: Locale): Metadata => ({
  title: translatorOf(locale, 'site.notFound')('title'),
});

/** The page for an unknown address, in the frame of its neighbours. */
export function NothingHere({
  locale,
  way,
}: {
  locale: Locale;
  way: { href: string; text: string };
}) {
  const t = translatorOf(locale, 'site.notFound');
  return (
    <Notice isScreen title={t('title')} text={t('text')}>
      <a href={way.href} className="button button-plain mt-3">
        {way.text}
      </a>
    </Notice>
  );
}
