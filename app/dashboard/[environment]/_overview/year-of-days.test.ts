import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { IntlProvider } from 'use-intl';
import { afterEach, expect, it, vi } from 'vitest';
import { messagesAt } from '#server/i18n/translator.ts';
import { spyOnDates, spyOnNumbers } from '#server/testing/format-spies.ts';
import { Instant } from '../../_shared/instant.tsx';
import { edgesBefore, edgesOf, readDayRange } from './day-range.ts';
import { MoneyChart } from './money-chart.tsx';

// A format takes long to make, so that one for each day of a year would delay everybody.

const NOW_MS = Date.parse('2026-11-21T12:00:00.000Z');
const TIME_ZONE = 'Pacific/Chatham';

afterEach(() => vi.restoreAllMocks());

it('a year of days needs few formats', () => {
  const dates = spyOnDates();
  const numbers = spyOnNumbers();
  const range = readDayRange({ from: '2025-11-21', to: '2026-11-21' }, NOW_MS, TIME_ZONE);
  const { days } = range;
  expect(days).toHaveLength(366);
  edgesOf(days, TIME_ZONE);
  edgesBefore(range, TIME_ZONE, NOW_MS);
  const money = { currency: 'USD' as const, payments: 1, grossMinor: 1500n, refundedMinor: 500n };
  const props = {
    ...{ locale: 'en' as const, base: '/', range, isUntilNow: true },
    query: { by: 'paid' as const, currency: '' as const },
    view: { days: days.map(() => [money]), before: [] },
    usualCurrency: 'USD' as const,
  };
  const messages = { script: messagesAt('en', 'script') };
  const chart = createElement(MoneyChart, props);
  renderToStaticMarkup(
    createElement(IntlProvider, {
      locale: 'en',
      messages,
      timeZone: 'UTC',
      children: chart,
    } as never),
  );
  for (const atMs of edgesOf(days, TIME_ZONE)) {
    renderToStaticMarkup(createElement(Instant, { atMs, locale: 'en', timeZone: TIME_ZONE }));
  }
  expect(dates.mock.calls.length).toBeLessThanOrEqual(5);
  expect(numbers.mock.calls.length).toBeLessThanOrEqual(5);
});
