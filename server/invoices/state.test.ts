import { describe, expect, test } from 'vitest';
import { INVOICE_TRIGGERS, isPastEnd, RULES } from './state.ts';
import { INVOICE_STATUSES } from './types.ts';

describe('the table of states', () => {
  const allowed: Record<string, string> = {
    'PENDING pay': 'PAID',
    'PENDING cancel': 'CANCELED',
    'PENDING expire': 'EXPIRED',
  };

  for (const status of INVOICE_STATUSES) {
    for (const trigger of INVOICE_TRIGGERS) {
      const expected = allowed[`${status} ${trigger}`] ?? null;
      test(`${status} and ${trigger} give ${expected ?? 'no change'}`, () => {
        const { from, to } = RULES[trigger];
        expect(from === status ? to : null).toBe(expected);
      });
    }
  }
});

describe('the end of the validity period', () => {
  test.each([
    [999, false],
    [1000, false],
    [1001, true],
  ])('at %i of 1000 it is over: %s', (nowMs, over) => {
    expect(isPastEnd(1000, nowMs)).toBe(over);
  });
});
