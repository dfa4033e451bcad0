import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { NewInvoice } from '../invoices/types.ts';
import { newInvoice } from '../testing/invoices.ts';
import { hashesOf, parseIdempotencyKey } from './idempotency.ts';

const NO_BODY = Buffer.alloc(0);

test.each(['x', ' ~', 'x'.repeat(255)])('%s is a key', (key) => {
  expect(parseIdempotencyKey(key)).toEqual({ ok: true, key });
});

test.each([
  ['', ['string_too_short']],
  ['x'.repeat(256), ['string_too_long']],
  ['a\tb', ['string_pattern_mismatch']],
  ['a\x1fb', ['string_pattern_mismatch']],
  ['a\x7fb', ['string_pattern_mismatch']],
  ['é'.repeat(256), ['string_too_long', 'string_pattern_mismatch']],
])('all that is wrong with a key comes at once: %s', (key, types) => {
  const loc = ['header', 'Idempotency-Key'];
  const detail = types.map((type) => expect.objectContaining({ loc, type }));
  expect(parseIdempotencyKey(key)).toEqual({ ok: false, detail });
});

const INVOICE = newInvoice({ merchantTransactionId: 'order-7' });

const valuesHashOf = (changes: Partial<NewInvoice>) =>
  hashesOf(NO_BODY, { ...INVOICE, ...changes }).valuesHash.toString('hex');

test('every value of a create tells it from others', () => {
  const others: Partial<NewInvoice>[] = [
    {},
    { amountMinor: 1501 },
    { currency: 'EUR' },
    { description: 'Two ticket' },
    { endDateMs: INVOICE.endDateMs + 1 },
    { positions: [] },
    { positions: INVOICE.positions.concat(INVOICE.positions) },
    { positions: INVOICE.positions.map((each) => ({ ...each, title: 'ticket' })) },
    { positions: INVOICE.positions.map((each) => ({ ...each, amountMinor: 1 })) },
    { positions: INVOICE.positions.map((each) => ({ ...each, currency: 'EUR' })) },
    { merchantTransactionId: 'order-8' },
    { successUrl: INVOICE.errorUrl },
    { errorUrl: INVOICE.successUrl },
    { callbackUrl: INVOICE.errorUrl },
    ...['{}', '{"a":1}', '{"a":"1"}', '{"a":[1,2]}', '{"a":[2,1]}', '{"a":null}'].map(
      (merchantData) => ({ merchantData }),
    ),
  ];
  expect(new Set(others.map(valuesHashOf)).size).toBe(others.length);
});

test('of merchant_data neither white space nor the order of keys is a value', () => {
  const shuffled = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(shuffled);
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).reverse();
    return Object.fromEntries(entries.map(([key, each]) => [key, shuffled(each)]));
  };
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (data) => {
      const merchantData = JSON.stringify(data);
      const other = JSON.stringify(shuffled(data), null, 2);
      expect(valuesHashOf({ merchantData: other })).toBe(valuesHashOf({ merchantData }));
    }),
  );
  const numbers = ['{"a":{"b":1,"2":1.50e1}}', '{"a":{"2":15,"b":1.0}}'];
  expect(new Set(numbers.map((merchantData) => valuesHashOf({ merchantData }))).size).toBe(1);
});

// Databases keep these hashes for 24 hours, in which a newer version may start. A version that
// changes them would refuse repeats of creates that the older one answered.
test('the values of a create have the hash that they always had', () => {
  const merchantData = '{"b":[1,{"d":2,"c":null}],"a":"x"}';
  expect(valuesHashOf({ merchantData })).toBe(
    'c9b8edd06d32ebe4f94f76de60d58525c95d75f4a9fc93a6f6ddb6f6f86d798a',
  );
});
