import { expect, it } from 'vitest';
import { translatorOf } from '#server/i18n/translator.ts';
import { MAX_AMOUNT_MINOR } from '#server/lib/money.ts';
import { type Draft, faultsOf, formOf, standingFaults, totalOfDraft } from './invoice-draft.ts';

const t = translatorOf('en', 'dashboard.create');

const DRAFT: Draft = {
  description: 'Beans',
  amount: '12.50',
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
const faults = (part: Partial<Draft>) => Object.keys(faultsOf({ ...DRAFT, ...part }, t));

it('sums exactly, and not at all while an amount is none', () => {
  expect(totalOfDraft(DRAFT)).toBe(123_460n);
  const none = [{ key: 0, title: '', amount: '1.234' }];
  expect(totalOfDraft({ ...DRAFT, positions: none })).toBeNull();
  expect(totalOfDraft({ ...DRAFT, positions: [] })).toBe(1_250n);
});

it('finds no fault with what the API would take, nor without positions and addresses', () => {
  expect(faults({})).toEqual([]);
  const bare = { positions: [], successUrl: '', errorUrl: ' ', callbackUrl: '' };
  expect(faults(bare)).toEqual([]);
  expect(faults({ ...bare, amount: '0' })).toEqual(['amount']);
});

it.each([
  ['description', { description: ' ' }],
  ['merchant_transaction_id', { reference: '' }],
  ['positions.0.title', { positions: [{ key: 0, title: ' ', amount: '1' }] }],
  ['positions.0.amount', { positions: [{ key: 0, title: 'Bag', amount: '0' }] }],
  ['success_url', { successUrl: 'shop.example' }],
  ['error_url', { errorUrl: 'javascript:alert(1)' }],
  ['callback_url', { callbackUrl: 'shop' }],
])('names the field that is wrong as the API does: %s', (field, part) => {
  expect(faults(part)).toEqual([field]);
});

it('refuses a total that an invoice cannot hold, though each position could', () => {
  const most = `${MAX_AMOUNT_MINOR / 100n}.91`;
  const positions = [0, 1].map((key) => ({ key, title: 'Bag', amount: most }));
  expect(faults({ positions: positions.slice(1) })).toEqual([]);
  expect(faults({ positions })).toEqual(['amount']);
});

it('a fault stands until its field is typed into, and goes with its position', () => {
  const [first = { key: 0, title: '', amount: '' }, second = first] = DRAFT.positions;
  const judged = {
    ...DRAFT,
    description: '',
    reference: '',
    positions: [first, { ...second, title: '', amount: '0' }],
  };
  const after = (part: Partial<Draft>) =>
    Object.keys(standingFaults(faultsOf(judged, t), judged, { ...judged, ...part }));
  const ofSecond = ['positions.1.title', 'positions.1.amount'];
  const all = ['description', 'merchant_transaction_id', ...ofSecond];
  expect(after({})).toEqual(all);
  expect(after({ hours: 1 })).toEqual(all);
  expect(after({ description: 'B' })).toEqual(['merchant_transaction_id', ...ofSecond]);
  expect(after({ reference: '1' })).toEqual(['description', ...ofSecond]);
  const [, faulty = first] = judged.positions;
  const others = ['description', 'merchant_transaction_id'];
  expect(after({ positions: [first, { ...faulty, title: 'P' }] })).toEqual([
    ...others,
    'positions.1.amount',
  ]);
  expect(after({ positions: [faulty] })).toEqual([
    ...others,
    'positions.0.title',
    'positions.0.amount',
  ]);
  expect(after({ positions: [first] })).toEqual(others);
});

it('a total that was too much is settled by any of its amounts', () => {
  const [first = { key: 0, title: '', amount: '' }, second = first] = DRAFT.positions;
  const most = `${MAX_AMOUNT_MINOR / 100n}.91`;
  const judged = { ...DRAFT, positions: [{ ...first, amount: most }, second] };
  const after = (positions: Draft['positions']) =>
    Object.keys(standingFaults(faultsOf(judged, t), judged, { ...judged, positions }));
  expect(after(judged.positions)).toEqual(['amount']);
  expect(
    after([
      { ...first, amount: most },
      { ...second, amount: '1' },
    ]),
  ).toEqual([]);
});

it('an address is sent as it was judged, without the blanks around it', () => {
  const typed = { ...DRAFT, callbackUrl: ' https://shop.example/callback\u00a0' };
  expect(faultsOf(typed, t)).toEqual({});
  expect(formOf(typed, 'key').callbackUrl).toBe('https://shop.example/callback');
});

it('without positions it has one, named by as much of the text as a title holds', () => {
  const description = `${'😀'.repeat(512)} and more`;
  const form = formOf({ ...DRAFT, description, positions: [], callbackUrl: ' ' }, 'key');
  expect(form).toMatchObject({
    amountMinor: 1_250,
    description,
    positions: [{ title: '😀'.repeat(512), amountMinor: 1_250 }],
    callbackUrl: null,
  });
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
