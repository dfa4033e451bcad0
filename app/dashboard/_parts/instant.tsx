import { dateTag } from '#app/_i18n/locales.ts';
import { dateFormat } from '#server/lib/formats.ts';
import type { DashboardLocale } from '../_i18n/messages.ts';

/** A time in the viewer's zone, with the exact one (to the second, zone named) on hover. */
export function Instant({
  atMs,
  locale,
  timeZone,
  withSeconds = false,
}: {
  atMs: number;
  locale: DashboardLocale;
  timeZone: string;
  withSeconds?: boolean;
}) {
  const short = dateFormat(dateTag(locale), {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: withSeconds ? '2-digit' : undefined,
    timeZone,
  });
  const exact = dateFormat(dateTag(locale), {
    dateStyle: 'full',
    timeStyle: 'long',
    timeZone,
  });
  return (
    <time dateTime={new Date(atMs).toISOString()} title={exact.format(atMs)}>
      {short.format(atMs)}
    </time>
  );
}
