import { expect, it } from 'vitest';
import { edgesBefore, edgesOf, readDayRange } from './day-range.ts';

const NOW_MS = Date.parse('2026-11-21T22:30:00Z');

it('shows the last seven days of the viewer, and as many before them', () => {
  const { days, daysBefore, preset } = readDayRange({}, NOW_MS, 'Asia/Tashkent');
  expect([days[0], days.at(-1), days.length]).toEqual(['2026-11-16', '2026-11-22', 7]);
  expect([daysBefore[0], daysBefore.at(-1)]).toEqual(['2026-11-09', '2026-11-15']);
  expect(preset).toBe(7);
});

it('takes a range of one’s own, and cuts what is too long at its older end', () => {
  const own = readDayRange({ from: '2026-02-27', to: '2026-03-02' }, NOW_MS, 'UTC');
  expect(own.days).toEqual(['2026-02-27', '2026-02-28', '2026-03-01', '2026-03-02']);
  const long = readDayRange({ from: '2020-01-01', to: '2026-03-02' }, NOW_MS, 'UTC');
  expect([long.days.length, long.days.at(-1), long.isCut]).toEqual([366, '2026-03-02', true]);
});

it('reads two days in either order', () => {
  const search = { from: '2026-02-02', to: '2026-02-01' };
  expect(readDayRange(search, NOW_MS, 'UTC').days).toEqual(['2026-02-01', '2026-02-02']);
});

it.each(['2026-02-31', '2026-02-29', '2026-13-01', '2026-2-3', 'today'])(
  'a day that there is not, as %s, is none',
  (wrong) => {
    const usual = readDayRange({}, NOW_MS, 'UTC');
    expect(readDayRange({ from: wrong, to: '2026-03-02' }, NOW_MS, 'UTC')).toEqual(usual);
    const upToNow = readDayRange({ from: '2026-11-20' }, NOW_MS, 'UTC');
    expect(readDayRange({ from: '2026-11-20', to: wrong }, NOW_MS, 'UTC')).toEqual(upToNow);
  },
);

it('compares a day that is not over with as much of the day before', () => {
  const today = readDayRange({ from: '2026-11-21' }, NOW_MS, 'UTC');
  const { edgesMs, isUntilNow } = edgesBefore(today, 'UTC', NOW_MS);
  expect(edgesMs.map((ms) => new Date(ms).toISOString())).toEqual([
    '2026-11-20T00:00:00.000Z',
    '2026-11-20T22:30:00.000Z',
  ]);
  expect(isUntilNow).toBe(true);
  const over = readDayRange({ from: '2026-11-19', to: '2026-11-20' }, NOW_MS, 'UTC');
  expect(edgesBefore(over, 'UTC', NOW_MS)).toEqual({
    edgesMs: edgesOf(['2026-11-17', '2026-11-18'], 'UTC'),
    isUntilNow: false,
  });
});

it.each(['UTC', 'America/New_York', 'Pacific/Kiritimati'])(
  'ends today at the latest in %s',
  (zone) => {
    const today = readDayRange({}, NOW_MS, zone).days.at(-1);
    for (const search of [
      { from: '9999-12-31' },
      { from: '2026-11-25' },
      { from: '2026-11-25', to: '9999-12-31' },
    ]) {
      expect(readDayRange(search, NOW_MS, zone).days).toEqual([today]);
    }
    const { days } = readDayRange({ from: '2026-11-19', to: '9999-12-31' }, NOW_MS, zone);
    expect([days[0], days.at(-1)]).toEqual(['2026-11-19', today]);
  },
);

it('goes back to 1970 and no further', () => {
  const first = readDayRange({ from: '1970-01-01', to: '1970-01-03' }, NOW_MS, 'UTC');
  expect(first.days).toEqual(['1970-01-01', '1970-01-02', '1970-01-03']);
  expect(edgesBefore(first, 'UTC', NOW_MS).edgesMs).toEqual([0, 0, 0, 0]);
});

it('takes nonsense for no wish', () => {
  for (const search of [
    { range: '8' },
    { from: '2026-13-45' },
    { from: '0000-01-01', to: '0000-01-05' },
    { from: '1969-12-31', to: '2026-11-20' },
  ]) {
    expect(readDayRange(search, NOW_MS, 'UTC').preset).toBe(7);
  }
});

it('knows a day of 25 hours', () => {
  const [begin = 0, end = 0] = edgesOf(['2026-10-25'], 'Europe/Berlin');
  expect(end - begin).toBe(25 * 3_600_000);
});
