import { describe, expect, it } from 'vitest';
import { readOrder } from './order.ts';
import type { NewLink, TypedOrder } from './types.ts';

const FIXED: NewLink = {
  title: 'Coffee',
  description: null,
  currency: 'UZS',
  price: { amountMinor: 2_500_000n },
  maxQuantity: 5,
  asksNote: 'off',
  asksEmail: 'off',
  asksPhone: 'off',
  usesLimit: null,
  endsAtMs: null,
};
const OPEN: NewLink = {
  ...FIXED,
  price: { leastMinor: 100_050n, greatestMinor: 5_000_000n },
  maxQuantity: 1,
};
const NOTHING: TypedOrder = { amount: '', quantity: '', note: '', email: '', phone: '' };
const plain = { note: null, email: null, phone: null };

describe('a buyer who types the amount', () => {
  it.each([
    ['1000.50', 100_050n],
    ['1 000,5', 100_050n],
    ['50,000.00', 5_000_000n],
    ['50000', 5_000_000n],
  ])('orders %s exactly, at both bounds', (amount, amountMinor) => {
    const read = readOrder(OPEN, { ...NOTHING, amount, quantity: '7' });
    expect(read).toEqual({ order: { amountMinor, quantity: 1, ...plain } });
  });

  it.each([
    ['1000.49', 'amount_low'],
    ['0', 'amount_low'],
    ['50000.01', 'amount_high'],
    ['', 'amount_missing'],
    ['-5000', 'amount_missing'],
    ['1000.505', 'amount_missing'],
    ['plenty', 'amount_missing'],
  ])('is refused %s', (amount, fault) => {
    expect(readOrder(OPEN, { ...NOTHING, amount })).toEqual({ faults: [fault] });
  });
});

it('takes a fixed price for each piece, whatever amount was typed', () => {
  const read = readOrder(FIXED, { ...NOTHING, amount: '1', quantity: '3' });
  expect(read).toEqual({ order: { amountMinor: 7_500_000n, quantity: 3, ...plain } });
});

it.each(['0', '6', '1.5', '-1', '', '99999'])('refuses %j pieces of at most five', (quantity) => {
  expect(readOrder(FIXED, { ...NOTHING, quantity })).toEqual({ faults: ['quantity_range'] });
});

it('demands what is required, reads what is optional, and keeps nothing that is off', () => {
  const typed = {
    ...NOTHING,
    quantity: '1',
    note: ' Table 4 ',
    email: 'a@b.uz',
    phone: '+998 90 1',
  };
  const asking = { ...FIXED, asksNote: 'required', asksEmail: 'optional' } as const;
  expect(readOrder(asking, typed)).toEqual({
    order: { amountMinor: 2_500_000n, quantity: 1, note: 'Table 4', email: 'a@b.uz', phone: null },
  });
  const strict = { ...FIXED, asksNote: 'required', asksEmail: 'required', asksPhone: 'required' };
  expect(readOrder(strict as NewLink, { ...NOTHING, quantity: '1' })).toEqual({
    faults: ['note_missing', 'email_missing', 'phone_missing'],
  });
});

it('names each field that cannot be read', () => {
  const asking: NewLink = {
    ...FIXED,
    asksNote: 'optional',
    asksEmail: 'optional',
    asksPhone: 'optional',
  };
  const typed = { ...NOTHING, quantity: '1', note: 'x'.repeat(301), email: 'a@b', phone: '12-ab' };
  expect(readOrder(asking, typed)).toEqual({
    faults: ['note_long', 'email_format', 'phone_format'],
  });
});
