import { expect, it } from 'vitest';
import { workEn } from '../_i18n/work-en.ts';
import { MAX_MINOR } from './amount-text.ts';
import { type Draft, faultsOf, formOf, totalOfDraft } from './invoice-draft.ts';

const DRAFT: Draft = {
  description: 'Beans',
  currency: 'UZS',
  positions: [
    { key: 0, title: 'Bag', amount: '0,10' },
    { key: 1, title: 'Post', amount: '1 234.5' },
  ],
  hours: 24,
  reference: 'order-1',
  successUrl: 'https://shop.example/thanks',
  errorUrl: 'https://shop.example/cart',
  callbackUrl: 'http://localhost:4000/callback',
};
const faults = (part: Partial<Draft>) =>
  Object.keys(faultsOf({ ...DRAFT, ...part }, workEn.create));

it('sums exactly, and not at all while an amount is none', () => {
  expect(totalOfDraft(DRAFT.positions)).toBe(123_460n);
  expect(totalOfDraft([{ key: 0, title: '', amount: '1.234' }])).toBeNull();
});

it('finds no fault with what the API would take', () => {
  expect(faults({})).toEqual([]);
});

it.each([
  ['description', { description: ' ' }],
  ['merchant_transaction_id', { reference: '' }],
  ['positions.0.title', { positions: [{ key: 0, title: ' ', amount: '1' }] }],
  ['positions.0.amount', { positions: [{ key: 0, title: 'Bag', amount: '0' }] }],
  ['success_url', { successUrl: 'shop.example' }],
  ['error_url', { errorUrl: 'javascript:alert(1)' }],
  ['callback_url', { callbackUrl: '' }],
])('names the field that is wrong as the API does: %s', (field, part) => {
  expect(faults(part)).toEqual([field]);
});

it('refuses a total that an invoice cannot hold, though each position could', () => {
  const most = `${MAX_MINOR / 100n}.91`;
  const positions = [0, 1].map((key) => ({ key, title: 'Bag', amount: most }));
  expect(faults({ positions: positions.slice(1) })).toEqual([]);
  expect(faults({ positions })).toEqual(['positions.0.amount']);
});

it('is sent in minor units, with the hours for which it can be paid', () => {
  const form = formOf(DRAFT, 'key');
  expect(form).toMatchObject({
    formKey: 'key',
    amountMinor: 123_460,
    hours: 24,
    positions: [
      { title: 'Bag', amountMinor: 10 },
      { title: 'Post', amountMinor: 123_450 },
    ],
  });
});
