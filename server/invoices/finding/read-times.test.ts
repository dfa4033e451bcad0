import { expect, it } from 'vitest';
import { foldCase } from '../../lib/typed-text.ts';
import { readTimes } from './read-times.ts';

// In Tashkent, five hours ahead: 29 November, 17:30.
const CLOCK = { now: new Date('2026-11-29T12:30:00.000Z'), timeZone: 'Asia/Tashkent' };
const WHOLE_DAY = ['2026-11-26T19:00', '2026-11-27T19:00'];

const minute = (ms: number | null) => ms !== null && new Date(ms).toISOString().slice(0, 16);
function read(text: string, clock = CLOCK) {
  const { rest, fromMs, untilMs } = readTimes(foldCase(text), clock);
  return { rest, span: fromMs === null ? null : [minute(fromMs), minute(untilMs)] };
}

it.each([
  ['80000 today 12:00–13:00', '80000', ['2026-11-29T07:00', '2026-11-29T08:00']],
  ['80000 сегодня с 12:00 до 13:00', '80000', ['2026-11-29T07:00', '2026-11-29T08:00']],
  ['80000 bugun 12:00 dan 13:00 gacha', '80000', ['2026-11-29T07:00', '2026-11-29T08:00']],
  ['80000 бугун 12-13', '80000', ['2026-11-29T07:00', '2026-11-29T08:00']],
  ['today 12pm-1pm', '', ['2026-11-29T07:00', '2026-11-29T08:00']],
  ['Сегодня в 12:00', '', ['2026-11-29T06:30', '2026-11-29T07:30']],
  ['yesterday 23:00-01:00', '', ['2026-11-28T18:00', '2026-11-28T20:00']],
  ['12:00-13:00', '', ['2026-11-29T07:00', '2026-11-29T08:00']],
  ['18:00-19:00', '', ['2026-11-28T13:00', '2026-11-28T14:00']],
  ['yesterday', '', ['2026-11-27T19:00', '2026-11-28T19:00']],
  ['кофе вчера', 'кофе', ['2026-11-27T19:00', '2026-11-28T19:00']],
  ['kecha', '', ['2026-11-27T19:00', '2026-11-28T19:00']],
  ['day before yesterday', '', WHOLE_DAY],
  ['позавчера', '', WHOLE_DAY],
  ['27 Nov', '', WHOLE_DAY],
  ['Nov 27, 2026', '', WHOLE_DAY],
  ['27 ноября', '', WHOLE_DAY],
  ['27 нояб. 2026 г.', '', WHOLE_DAY],
  ['27-noyabrda', '', WHOLE_DAY],
  ['27.11.2026', '', WHOLE_DAY],
  ['2026-11-27', '', WHOLE_DAY],
  ['27 Nov 12:00-13:00', '', ['2026-11-27T07:00', '2026-11-27T08:00']],
  ['30 November', '', ['2025-11-29T19:00', '2025-11-30T19:00']],
])('“%s” leaves “%s”', (text, rest, span) => {
  expect(read(text)).toEqual({ rest, span });
});

it.each([
  '80000',
  'order 12-13',
  '27.11',
  '2 margaritas',
  '31 Feb',
  'todays special',
  '25:00-26:00',
  'a-12:30',
])('“%s” says nothing of time', (text) => {
  expect(read(text)).toEqual({ rest: text.toLowerCase(), span: null });
});

it('a day is the viewer’s own, as long as it was', () => {
  const clock = { now: new Date('2026-10-25T20:00:00.000Z'), timeZone: 'Europe/Berlin' };
  expect(read('today', clock).span).toEqual(['2026-10-24T22:00', '2026-10-25T23:00']);
  expect(read('today 12:00-13:00', clock).span).toEqual(['2026-10-25T11:00', '2026-10-25T12:00']);
});
