import { expect, test } from 'vitest';
import { paymeLink } from './link.ts';
import { isAuthorised } from './protocol.ts';

test('the link is what Payme’s own page shows, with ours beside it', () => {
  const order = {
    merchantId: '587f72c72cac0d162c722ae2',
    accountField: 'order_id',
    invoiceId: '197',
    amountMinor: 500n,
    locale: 'uz',
    returnUrl: 'https://pay.example.com/pay/inv_1/return',
  } as const;
  const link = paymeLink('https://checkout.paycom.uz', order);
  const text = Buffer.from(link.slice('https://checkout.paycom.uz/'.length), 'base64').toString();
  // The documentation's vector, and cases beyond it.
  const vector = 'bT01ODdmNzJjNzJjYWMwZDE2MmM3MjJhZTI7YWMub3JkZXJfaWQ9MTk3O2E9NTAw';
  expect(text).toBe(
    `${Buffer.from(vector, 'base64')};l=uz;c=https://pay.example.com/pay/inv_1/return`,
  );
});

test.each([
  ['Basic UGF5Y29tOlRFU1RfS0VZXzM2X0NIQVJTX3h4eHh4eHh4eHh4eHh4eHg=', true],
  ['basic UGF5Y29tOlRFU1RfS0VZXzM2X0NIQVJTX3h4eHh4eHh4eHh4eHh4eHg=', true],
  ['Basic TG9naW46UGFzcw==', false],
  ['Bearer UGF5Y29tOlRFU1RfS0VZXzM2X0NIQVJTX3h4eHh4eHh4eHh4eHh4eHg=', false],
  [null, false],
])('%s opens: %s', (header, isOpen) => {
  expect(isAuthorised(header, 'TEST_KEY_36_CHARS_xxxxxxxxxxxxxxxx')).toBe(isOpen);
});
