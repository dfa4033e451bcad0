import { expect, it } from 'vitest';
import { NO_FILTERS } from '../../testing/invoices.ts';
import { narrow } from './narrow.ts';

const CLOCK = { now: new Date('2026-11-29T12:30:00.000Z'), timeZone: 'Asia/Tashkent' };
const narrowed = (search: string, more = {}) => narrow({ ...NO_FILTERS, ...more, search }, CLOCK);

it.each([
  '~80000',
  '≈ 80 000',
  'about 80,000.00',
  'Около 80 000 сум',
  "taxminan 80000 so'm",
  '80 000 atrofida',
])('“%s” is an amount that may be off by a twentieth', (search) => {
  expect(narrowed(search)).toEqual({
    ...NO_FILTERS,
    minAmountMinor: 7_600_000n,
    maxAmountMinor: 8_400_000n,
  });
});

it('keeps what is neither a time nor about an amount', () => {
  expect(narrowed('Coffee ~80000 today 12:00–13:00')).toEqual({
    ...NO_FILTERS,
    search: 'coffee',
    fromMs: Date.UTC(2026, 10, 29, 7),
    untilMs: Date.UTC(2026, 10, 29, 8),
    minAmountMinor: 7_600_000n,
    maxAmountMinor: 8_400_000n,
  });
});

it('narrows filters and never widens them', () => {
  const fromMs = Date.UTC(2026, 10, 29, 7, 30);
  expect(narrowed('today 12:00-13:00', { fromMs })).toMatchObject({
    fromMs,
    untilMs: Date.UTC(2026, 10, 29, 8),
  });
  expect(narrowed('~80000', { minAmountMinor: 1n, maxAmountMinor: 8_000_000n })).toMatchObject({
    minAmountMinor: 7_600_000n,
    maxAmountMinor: 8_000_000n,
  });
});

it('leaves any other text as it was typed', () => {
  expect(narrowed(' Order–15 ').search).toBe(' Order–15 ');
  expect(narrowed('about us').search).toBe('about us');
});
