import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import type { OperatorOverview } from '#server/trpc/rows.ts';
import { Figures } from './figures.tsx';

const AT = new Date('2026-11-27T12:00:00.000Z');

const overview: OperatorOverview = {
  backlog: {
    callbacksDue: 7,
    callbacksDueIsMore: false,
    callbackLagMs: 0,
    oldestUndeliveredMs: 133_000,
    oldestUndelivered: { invoiceId: 'inv_1', merchantId: 'mer_1', merchantName: 'Shop' },
    overdueInvoices: 0,
    overdueInvoicesIsMore: false,
    expiryLagMs: 0,
    recoveriesWaiting: 0,
    recoveriesWaitingIsMore: false,
  },
  samples: [
    {
      atMs: AT.getTime() - 24_000,
      callbacksDue: 9,
      oldestUndeliveredMs: 109_000,
      expiryLagMs: 0,
      recoveriesWaiting: 0,
      statusChanges: 0,
      deliveryAttempts: 0,
    },
  ],
  processes: [],
  failedRecoveries: [],
  failedRecoveriesIsMore: false,
  pendingCaptures: [],
  environment: 'production',
  troubles: [],
  troublesElsewhere: 0,
  lateWork: null,
  merchants: { active: 1, suspended: 0 },
  at: AT,
};

const MINUTE_MS = 60_000;
const [SAMPLE] = overview.samples;

/** The tiles' text, and the number of lines drawn in them. */
function drawn(atMs: number[]) {
  const samples = SAMPLE ? atMs.map((each) => ({ ...SAMPLE, atMs: each })) : [];
  const view = { locale: 'en', timeZone: 'Asia/Tashkent' } as const;
  const markup = renderToStaticMarkup(
    createElement(Figures, { ...view, overview: { ...overview, samples } }),
  );
  const lines = [...markup.matchAll(/<path d="([^"]*)"/g)].map(([, line = '']) => line);
  return { text: markup.replaceAll(/\s/g, ' '), lines };
}

it('what waits now counts towards the highest of the day, which is never less', () => {
  const { text } = drawn([AT.getTime() - 1_439 * MINUTE_MS, AT.getTime() - 24_000]);
  expect(text).toContain('Last 24 hours: highest 2 min 13 sec');
  expect(text).toContain('Last 24 hours: highest 9<');
});

it('in its first hour a gateway shows its figures since its start, over the whole width', () => {
  const begin = AT.getTime() - 35 * MINUTE_MS;
  const { text, lines } = drawn([0, 1, 10, 20, 30].map((minute) => begin + minute * MINUTE_MS));
  expect(text).toContain('Since 16:25: highest 9<');
  expect(text).toContain('Per ten minutes, since 16:25: highest 0<');
  expect(lines).toHaveLength(6);
  for (const line of lines) expect(line).toMatch(/^M0\.0 .*L240\.0 /);
});

it('before there are two samples nothing is drawn of what is counted between them', () => {
  const { text, lines } = drawn([AT.getTime() - 24_000]);
  expect(text).toContain('Since 16:59: highest 2 min 13 sec');
  expect(text).toContain('No samples yet');
  expect(lines.map((line) => line !== '')).toEqual([true, true, true, true, false, false]);
});
