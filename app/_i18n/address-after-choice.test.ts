import { expect, it } from 'vitest';
import { addressAfterChoice } from './address-after-choice.ts';

const after = (chosen: string, referrer: string | null): string => {
  const { pathname, search } = addressAfterChoice(new URL(chosen, 'http://gate.example'), referrer);
  return pathname + search;
};

it('keeps the filters of the page on which the language was chosen', () => {
  const list = 'http://gate.example/dashboard/sandbox/invoices?status=PAID&q=a%26b';
  expect(after('/dashboard/sandbox/invoices?lang=ru', list)).toBe(
    '/dashboard/sandbox/invoices?status=PAID&q=a%26b',
  );
  expect(after('/dashboard/sandbox/invoices?lang=ru', `${list}&lang=en`)).toBe(
    '/dashboard/sandbox/invoices?status=PAID&q=a%26b',
  );
});

it('takes nothing from another page, from none, or over what the link itself says', () => {
  const other = 'http://gate.example/dashboard/sandbox/callbacks?state=exhausted';
  expect(after('/dashboard/sandbox/invoices?lang=ru', other)).toBe('/dashboard/sandbox/invoices');
  expect(after('/pay/inv_1?lang=uz', null)).toBe('/pay/inv_1');
  expect(after('/pay/inv_1?lang=uz', 'no address')).toBe('/pay/inv_1');
  expect(after('/pay/inv_1?lang=uz&step=2', 'http://gate.example/pay/inv_1?step=1')).toBe(
    '/pay/inv_1?step=2',
  );
});
