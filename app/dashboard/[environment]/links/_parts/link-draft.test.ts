import { expect, it } from 'vitest';
import { readLinkForm } from './link-draft.ts';

const NOW_MS = Date.parse('2026-11-29T12:00:00.000Z');

function read(fields: Record<string, string>) {
  const form = new FormData();
  const filled = { title: ' Coffee ', kind: 'fixed', amount: '25 000', currency: 'UZS', ...fields };
  for (const [name, value] of Object.entries(filled)) form.set(name, value);
  return readLinkForm(form, NOW_MS);
}

const PLAIN = {
  title: 'Coffee',
  description: null,
  currency: 'UZS',
  price: { amountMinor: 2_500_000 },
  maxQuantity: 1,
  asksNote: 'off',
  asksEmail: 'off',
  asksPhone: 'off',
  usesLimit: null,
  endsAtMs: null,
};

it('reads a title and an amount, and leaves everything else off', () => {
  expect(read({})).toEqual({ link: PLAIN });
});

it('reads everything that a link can have', () => {
  const fields = { quantity: '5', limit: '1 000', note: 'required', email: 'optional' };
  expect(read({ ...fields, end: '2026-12-01T10:00Z', description: 'Hot' })).toEqual({
    link: {
      ...PLAIN,
      description: 'Hot',
      maxQuantity: 5,
      usesLimit: 1_000,
      asksNote: 'required',
      asksEmail: 'optional',
      endsAtMs: Date.parse('2026-12-01T10:00:00.000Z'),
    },
  });
});

it('takes bounds, and no quantity, where the buyer types the amount', () => {
  const open = { kind: 'open', amount: 'x', quantity: 'x' };
  expect(read({ ...open, least: '1', greatest: '1' })).toEqual({
    link: { ...PLAIN, price: { leastMinor: 100, greatestMinor: 100 } },
  });
  expect(read({ ...open, least: '2', greatest: '1.99' })).toEqual({
    faults: { greatest: 'badBounds' },
  });
  expect(read({ ...open, least: '0', greatest: '90071992547409.92' })).toEqual({
    faults: { least: 'badAmount', greatest: 'tooMuch' },
  });
});

it('names each fault', () => {
  const fields = { title: ' ', amount: '-1', quantity: '1001', limit: '0' };
  expect(read({ ...fields, end: '2026-11-29T12:00Z' })).toEqual({
    faults: {
      title: 'needed',
      amount: 'badAmount',
      quantity: 'badNumber',
      limit: 'badNumber',
      end: 'badEnd',
    },
  });
  expect(read({ amount: '90071992547409', quantity: '2' })).toEqual({
    faults: { amount: 'tooMuch' },
  });
});
