import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, expect, it, vi } from 'vitest';
import { spyOnDates, spyOnNumbers } from '#server/testing/format-spies.ts';
import { Instant } from '../../_shared/instant.tsx';
import { dayLabels } from './day-label.ts';
import { edgesBefore, edgesOf, readDayRange } from './day-range.ts';
import { InvoiceChart, VolumeCharts } from './overview-charts.tsx';

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
  const spans = days.map(() => ({
    created: 1,
    paid: 1,
    volumes: [{ currency: 'USD' as const, paid: 1, amountMinor: 1500n, refundedMinor: 500n }],
  }));
  const view = { days: spans, daysBefore: [], exhausted: 0, exhaustedIsMore: false };
  const medians = { medianMs: null, medianBeforeMs: null };
  const props = {
    ...{ locale: 'en' as const, listOf: () => '/' },
    ...{ days, labels: dayLabels(range, 'en') },
    view: { ...view, ...medians },
  };
  renderToStaticMarkup(createElement(InvoiceChart, props));
  renderToStaticMarkup(createElement(VolumeCharts, props));
  for (const atMs of edgesOf(days, TIME_ZONE)) {
    renderToStaticMarkup(createElement(Instant, { atMs, locale: 'en', timeZone: TIME_ZONE }));
  }
  expect(dates.mock.calls.length).toBeLessThanOrEqual(5);
  expect(numbers.mock.calls.length).toBeLessThanOrEqual(5);
});
