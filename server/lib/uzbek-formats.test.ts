import { expect, test } from 'vitest';
import { dateFormat, numberFormat } from './formats.ts';

/** A time in each month, and on each day of the week. */
const TIMES_MS = Array.from({ length: 12 }, (_, month) =>
  Date.UTC(2026, month, 3 + 2 * month, 10 + (month % 8), 4, 5),
);

const DATES: Intl.DateTimeFormatOptions[] = [
  { dateStyle: 'medium' },
  { timeStyle: 'short' },
  { hour: '2-digit', minute: '2-digit' },
  { day: 'numeric', month: 'long' },
  { day: 'numeric', month: 'short' },
  { weekday: 'short', day: 'numeric', month: 'short' },
];

test.each(DATES)('a date is written here as Uzbek is where it is known: %j', (fields) => {
  for (const timeZone of ['UTC', 'Asia/Tashkent', 'Europe/London']) {
    const known = new Intl.DateTimeFormat('uz-Latn', { ...fields, timeZone });
    const format = dateFormat('uz-Latn', { ...fields, timeZone });
    expect(TIMES_MS.map((atMs) => format.format(atMs))).toEqual(
      TIMES_MS.map((atMs) => known.format(atMs)),
    );
  }
});

const WHOLE: [Intl.DateTimeFormatOptions, string, string][] = [
  [{ dateStyle: 'long' }, '2026-yil 21-noyabr', '2026 йил 21 ноябрь'],
  [
    { dateStyle: 'long', timeStyle: 'short' },
    '2026-yil 21-noyabr, 23:55',
    '2026 йил 21 ноябрь, 23:55',
  ],
  [{ dateStyle: 'full' }, '2026-yil 21-noyabr, shanba', '2026 йил 21 ноябрь, шанба'],
  [
    { day: 'numeric', month: 'long', year: 'numeric', hour: '2-digit', minute: '2-digit' },
    '2026-yil 21-noyabr, 23:55',
    '2026 йил 21 ноябрь, 23:55',
  ],
];

test.each(WHOLE)('a whole date begins with its year, in both scripts: %j', (fields, ...written) => {
  const atMs = Date.UTC(2026, 10, 21, 23, 55);
  const tags = ['uz-Latn', 'uz-Cyrl'];
  expect(tags.map((tag) => dateFormat(tag, { ...fields, timeZone: 'UTC' }).format(atMs))).toEqual(
    written,
  );
});

const NUMBERS: Intl.NumberFormatOptions[] = [
  {},
  { minimumFractionDigits: 2 },
  { style: 'percent', maximumFractionDigits: 1, signDisplay: 'exceptZero' },
  { notation: 'compact', maximumFractionDigits: 1 },
  ...['day', 'hour', 'minute', 'second', 'millisecond'].map(
    (unit) => ({ style: 'unit', unit, unitDisplay: 'short' }) as const,
  ),
];

test.each(NUMBERS)('a number is written here as Uzbek is where it is known: %j', (options) => {
  const known = new Intl.NumberFormat('uz', options);
  const format = numberFormat('uz', options);
  const plain = (text: string) => text.replaceAll('\u00a0', ' ');
  for (const value of [0, 0.715, -1.5, 1_234, 12_345.67, 2_500_000, 3.2e9, 4e12]) {
    expect(plain(format.format(value))).toBe(plain(known.format(value)));
  }
});
