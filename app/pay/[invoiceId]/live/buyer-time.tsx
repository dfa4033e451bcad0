'use client';

import { useSyncExternalStore } from 'react';
import { dateTag, type Locale } from '#app/_i18n/locales.ts';
import { formatInstant, formatTime } from '../frame/dates.ts';

const never = () => () => undefined;
const FORMATS = { instant: formatInstant, time: formatTime };

type Props = {
  atMs: number;
  format: keyof typeof FORMATS;
  locale: Locale;
  /** As the server wrote it, in the shop's zone. */
  inShop: string;
};

function inOwnZone({ atMs, format, locale, inShop }: Props): string {
  // Not every browser knows every language of the page: it would write the month in another.
  const isKnown = Intl.DateTimeFormat.supportedLocalesOf(dateTag(locale)).length > 0;
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const own = FORMATS[format](atMs, locale, timeZone);
  // Chromium says that it knows Uzbek, and has no names of its months: `2026 M11 21`.
  return isKnown && !/M\d\d/.test(own) ? own : inShop;
}

/** A time in the buyer's own zone, which only the browser knows; in the shop's until its script runs. */
export function BuyerTime(props: Props) {
  const text = useSyncExternalStore(
    never,
    () => inOwnZone(props),
    () => props.inShop,
  );
  return <time dateTime={new Date(props.atMs).toISOString()}>{text}</time>;
}
