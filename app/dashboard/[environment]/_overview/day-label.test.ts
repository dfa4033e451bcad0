import { expect, it } from 'vitest';
import { dayLabels } from './day-label.ts';

it.each([
  ['en', ['Fri 20 Nov', 'Sat 21 Nov']],
  ['ru', ['пт, 20 нояб.', 'сб, 21 нояб.']],
] as const)('days of this year have their weekday in %s', (locale, labels) => {
  const range = { days: ['2026-11-20', '2026-11-21'], today: '2026-11-22' };
  expect(dayLabels(range, locale)).toEqual(labels);
});

it.each([
  ['en', ['31 Dec 2025', '1 Jan 2026']],
  ['ru', ['31 дек. 2025', '1 янв. 2026']],
] as const)('where they leave it they have their year in %s', (locale, labels) => {
  const range = { days: ['2025-12-31', '2026-01-01'], today: '2026-11-22' };
  expect(dayLabels(range, locale)).toEqual(labels);
});

it('so they have where none of them is of this year', () => {
  expect(dayLabels({ days: ['2025-05-04'], today: '2026-11-22' }, 'en')).toEqual(['4 May 2025']);
});
