import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import type { OverdueAccountView } from '#server/trpc/rows.ts';
import { OverdueAccounts } from './overdue-accounts.tsx';

const AT = new Date('2026-11-21T12:00:00.000Z');
const begun = AT.getTime() - 47 * 60_000;

const ITEM = {
  id: 'pay_1',
  invoiceId: 'inv_1',
  amountMinor: 1_500_000n,
  currency: 'UZS' as const,
  createdAtMs: begun,
  nextLookAtMs: null,
  acquirerIds: ['13831052', '77'],
};

const ACCOUNT: OverdueAccountView = {
  id: 'acq_1',
  merchantId: 'mer_1',
  merchantName: 'Tea house',
  environment: 'production',
  provider: 'click',
  title: 'Click',
  name: 'Click',
  calledAtMs: begun,
  callFault: { code: 'wrong_signature', detail: null },
  checkedAtMs: begun,
  checkFault: { code: 'unexpected_answer', detail: '503' },
  isProven: false,
  downSinceMs: null,
  failure: null,
  count: 1,
  oldestAtMs: begun,
  items: [{ ...ITEM, status: 'capturing' }],
};

/** The text of the list, without its tags. */
function textOf(account: Partial<OverdueAccountView>, locale: 'en' | 'ru' = 'en'): string {
  const view = { locale, timeZone: 'UTC', at: AT, kind: 'payments' as const };
  const accounts = [{ ...ACCOUNT, ...account }];
  const markup = renderToStaticMarkup(createElement(OverdueAccounts, { ...view, accounts }));
  return markup.replaceAll(/<[^>]*>/g, '').replaceAll(/\s/g, ' ');
}

it('an account tells what its acquirer said last in the reader’s language, codes as they came', () => {
  expect(textOf({})).toContain('rejected: wrong signature');
  expect(textOf({})).toContain('failed: the acquirer gave an unexpected response (503)');
  expect(textOf({}, 'ru')).toContain('не пройдена: неожиданный ответ эквайера (503)');
  const before = { checkFault: { code: null, detail: 'Click answered 502.' } };
  expect(textOf(before, 'ru')).toContain('не пройдена: Click answered 502.');
});

it('an acquirer that is down is told with what failed', () => {
  expect(textOf({})).not.toContain('Down since');
  expect(textOf({ downSinceMs: begun, failure: 'status: 500' })).toContain('status: 500');
});

it('its payments stand below it, and those that are not shown are counted', () => {
  expect(textOf({})).toMatch(/1 payment open for 47 min.*inv_1.*reserved, not paid yet/);
  expect(textOf({})).toContain('13831052 · 77');
  expect(textOf({})).not.toContain('not shown');
  expect(textOf({ count: 3 })).toContain('3 payments open the oldest for 47 min');
  expect(textOf({ count: 3 })).toContain('2 newer payments are not shown.');
});

it('a refund tells whether its acquirer has accepted it', () => {
  const shown = (isAccepted: boolean) => {
    const accounts = [{ ...ACCOUNT, items: [{ ...ITEM, isAccepted }] }];
    const view = { locale: 'en' as const, timeZone: 'UTC', at: AT, kind: 'refunds' as const };
    return renderToStaticMarkup(createElement(OverdueAccounts, { ...view, accounts }));
  };
  expect(shown(true)).toContain('accepted, not carried out yet');
  expect(shown(false)).toContain('unknown: the acquirer has not answered');
  expect(shown(false)).toContain('1 refund open');
});
