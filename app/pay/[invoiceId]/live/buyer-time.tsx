'use client';

import { useSyncExternalStore } from 'react';
import { formatInstant, formatTime } from '#server/i18n/dates.ts';
import type { Locale } from '#server/lib/locales.ts';

const never = () => () => undefined;
const FORMATS = { instant: formatInstant, time: formatTime };

type Props = {
  atMs: number;
  format: keyof typeof FORMATS;
  locale: Locale;
  /** The time as the server wrote it, in the shop's zone. */
  inShop: string;
};

function inOwnZone({ atMs, format, locale }: Props): string {
  return FORMATS[format](atMs, locale, Intl.DateTimeFormat().resolvedOptions().timeZone);
}

/** A time in the buyer's own zone, which only the script knows; in the shop's until then. */
export function BuyerTime(props: Props) {
  const text = useSyncExternalStore(
    never,
    () => inOwnZone(props),
    () => props.inShop,
  );
  return <time dateTime={new Date(props.atMs).toISOString()}>{text}</time>;
}
