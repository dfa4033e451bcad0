import { expect, test } from 'vitest';
import { type ReasonCode, readReason, writeReason } from './reasons.ts';

test.each<[ReasonCode, Record<string, string>]>([
  ['timeout', {}],
  ['success_missing', {}],
  ['port_refused', {}],
  ['status', { status: '500' }],
  ['redirect', { status: '302' }],
  ['redirect_to', { status: '301', to: 'https://shop.example/(a), but {status}\\' }],
  ['but', { status: '200', reason: writeReason('not_decoded') }],
])('a reason that was kept is known again by its code: %s', (code, values) => {
  expect(readReason(writeReason(code, values))).toEqual({ code, values });
});

test('a reason that nobody writes has no code', () => {
  expect(readReason('connection refused.')).toBeNull();
  expect(readReason('answered 500, not 200\nand more')).toBeNull();
});
