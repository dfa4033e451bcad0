import { dateFormat } from '#server/lib/formats.ts';
import type { Locale } from '#server/lib/locales.ts';
import { propertiesOf } from '#server/lib/locales.ts';

/**
 * A time in the viewer's zone, with the exact one (to the second, with its zone) on hover.
 *
 * @param props.isNarrow for a column: languages that allow it write the month as a number
 */
export function Instant({
  atMs,
  locale,
  timeZone,
  withSeconds = false,
  isNarrow = false,
}: {
  atMs: number;
  locale: Locale;
  timeZone: string;
  withSeconds?: boolean;
  isNarrow?: boolean;
}) {
  const digits = isNarrow && propertiesOf(locale).padsDates ? '2-digit' : undefined;
  const short = dateFormat(propertiesOf(locale).dateTag, {
    day: digits ?? 'numeric',
    month: digits ?? 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: withSeconds ? '2-digit' : undefined,
    timeZone,
  });
  const exact = dateFormat(propertiesOf(locale).dateTag, {
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
