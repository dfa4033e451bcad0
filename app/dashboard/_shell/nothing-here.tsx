import type { Metadata } from 'next';
import { siteMessages } from '#app/_i18n/site-messages.ts';
import type { DashboardLocale } from '../_i18n/messages.ts';
import { Notice } from '../_shared/notice.tsx';

export const nothingHereMetadata = (locale: DashboardLocale): Metadata => ({
  title: siteMessages(locale).notFound.title,
});

/** An address that leads nowhere, in the frame of the screens that it stands among. */
export function NothingHere({
  locale,
  way,
}: {
  locale: DashboardLocale;
  way: { href: string; text: string };
}) {
  const { title, text } = siteMessages(locale).notFound;
  return (
    <Notice isScreen title={title} text={text}>
      <a href={way.href} className="button button-plain mt-3">
        {way.text}
      </a>
    </Notice>
  );
}
