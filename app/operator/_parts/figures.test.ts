import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import type { OperatorOverview } from '#server/trpc/rows.ts';
import { en } from '../_i18n/en.ts';
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
  merchants: { active: 1, suspended: 0 },
  at: AT,
};

it('what waits now counts towards the highest of the day, which is never less', () => {
  const markup = renderToStaticMarkup(createElement(Figures, { t: en, locale: 'en', overview }));
  const text = markup.replaceAll(/\s/g, ' ');
  expect(text).toContain('Last 24 hours: highest 2 min 13 sec');
  expect(text).toContain('Last 24 hours: highest 9<');
});
