import { expect, it } from 'vitest';
import { readDay } from './register-day.ts';

// Already the 22nd in Tashkent.
const NOW_MS = Date.parse('2026-11-21T20:00:00.000Z');

it.each([
  ['yesterday without a day', {}, '2026-11-21', false],
  ['yesterday for what is no day', { day: '2026-02-30' }, '2026-11-21', false],
  ['a day before', { day: '2026-10-25' }, '2026-10-25', false],
  ['today, which goes on', { day: '2026-11-22' }, '2026-11-22', true],
  ['today for a day to come', { day: '2026-12-01' }, '2026-11-22', true],
])('the register is of %s, by the merchant’s clock', (_, search, day, isOpen) => {
  const read = readDay(search, NOW_MS, 'Asia/Tashkent');
  expect(read).toEqual({ day, today: '2026-11-22', isOpen });
});
