import { afterEach, expect, it, vi } from 'vitest';
import { spyOnDates, spyOnNumbers } from '../testing/format-spies.ts';
import { dateFormat, numberFormat } from './formats.ts';

afterEach(() => vi.restoreAllMocks());

it('a format is made once for each of its locales and options', () => {
  const dates = spyOnDates();
  const numbers = spyOnNumbers();
  for (let i = 0; i < 3; i += 1) {
    for (const timeZone of ['Asia/Tashkent', 'UTC']) {
      const written = dateFormat('sv-SE', { timeZone, timeStyle: 'short' }).format(0);
      expect(written).toBe(timeZone === 'UTC' ? '00:00' : '06:00');
    }
    expect(numberFormat('en', { maximumFractionDigits: 1 }).format(1.25)).toBe('1.3');
    expect(numberFormat('ru', { maximumFractionDigits: 1 }).format(1.25)).toBe('1,3');
  }
  expect(dates).toHaveBeenCalledTimes(2);
  expect(numbers).toHaveBeenCalledTimes(2);
});

it('nor are zones without number kept for ever', () => {
  const dates = spyOnDates();
  const askFor = (timeZone: string) => dateFormat('en', { timeZone, dateStyle: 'short' });
  const zones = Intl.supportedValuesOf('timeZone');
  for (const zone of zones) askFor(zone);
  askFor(zones.at(-1)!);
  expect(dates).toHaveBeenCalledTimes(zones.length);
  askFor(zones[0]!);
  expect(dates).toHaveBeenCalledTimes(zones.length + 1);
});
