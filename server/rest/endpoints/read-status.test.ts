import { expect, test } from 'vitest';
import type { AuthenticatedRequest, RestContext } from '../types.ts';
import { canExist } from './named-invoice.ts';
import { readStatusEndpoint } from './read-status.ts';

/** What a status request with this query asks of the database. */
function askedFor(query: { [name: string]: string }) {
  const asked: unknown[] = [];
  const readStatus = (_tenant: unknown, reference: unknown) => {
    asked.push(reference);
    return Promise.resolve(null);
  };
  const context = { invoices: { readStatus } } as unknown as RestContext;
  const request = { query: new URLSearchParams(query) } as AuthenticatedRequest;
  void readStatusEndpoint.handle(context, request);
  return asked;
}

test('the longest id that a merchant can give is asked for', () => {
  // 255 characters, each of two UTF-16 code units.
  const merchant_transaction_id = '😀'.repeat(255);
  expect(canExist(merchant_transaction_id)).toBe(true);
  expect(askedFor({ merchant_transaction_id })).toEqual([
    { merchantTransactionId: merchant_transaction_id },
  ]);
});

test.each([
  ['is too long', 'x'.repeat(513)],
  ['has a NUL', 'inv_\0'],
])('nothing is asked for by an id that %s: no invoice has it', (_what, id) => {
  expect(canExist(id)).toBe(false);
  expect(askedFor({ invoice_id: id })).toEqual([]);
  expect(askedFor({ merchant_transaction_id: id })).toEqual([]);
});
