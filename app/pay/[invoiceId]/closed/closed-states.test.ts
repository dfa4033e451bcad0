import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { translatorOf } from '#server/i18n/translator.ts';
import { HOLD_MS } from '#server/payments/timing.ts';
import { Canceled, Expired, Paid, Processing } from './closed-states.tsx';

it.each([
  ['en', 'minutes'],
  ['ru', 'минут'],
  ['uz', 'daqiqa'],
] as const)('how long an acquirer keeps the invoice is said as it is, in %s', (locale, word) => {
  const t = translatorOf(locale, 'pay');
  const markup = renderToStaticMarkup(
    createElement(Processing, { t, invoiceId: 'inv_1', method: 'Payme' }),
  );
  expect(markup).toContain(`${HOLD_MS / 60_000} ${word}`);
});

it('a link without a shop ends on its own page: no way out, and no countdown', () => {
  const t = translatorOf('en', 'pay');
  const common = { t, merchantName: 'Shop', returns: true };
  const paid = createElement(Paid, {
    ...common,
    title: 'Paid',
    amount: '$15.00',
    invoiceId: 'inv_1',
    successUrl: null,
    refunds: [],
    hasFiscal: false,
  });
  const closed = { ...common, errorUrl: null, triedToPay: false };
  const hrefs = [paid, createElement(Expired, closed), createElement(Canceled, closed)].map(
    (element) => renderToStaticMarkup(element).match(/href="[^"]*"|http-equiv="[^"]*"/g),
  );
  expect(hrefs).toEqual([['href="/pay/inv_1/receipt"'], null, null]);
});
