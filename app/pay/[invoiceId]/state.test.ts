import { describe, expect, test } from 'vitest';
import {
  ATTEMPT_STATUSES,
  type AttemptStatus,
  type PaymentAttempt,
} from '#server/payments/types.ts';
import { isPayable, stateOf, versionOf } from './state.ts';

const OPTIONS = { hasAcquirer: true, nextTryAtMs: null };
const PENDING = { status: 'PENDING', captureAttemptId: null, endDateMs: 9_000 } as const;

function attempt(status: AttemptStatus, rest: Partial<PaymentAttempt> = {}): PaymentAttempt {
  return {
    id: `pay_${status}`,
    invoiceId: 'inv_1',
    status,
    provider: 'sandbox',
    accountId: null,
    authorisationId: null,
    startRequest: null,
    transactionId: null,
    acquirerReceiptUrl: null,
    feeMinor: null,
    amountMinor: 1500n,
    currency: 'USD',
    cardBrand: 'visa',
    cardLast4: '4242',
    declineReason: null,
    challengeUrl: status === 'challenge' ? 'https://bank.example/3ds' : null,
    createdAtMs: 0,
    updatedAtMs: 0,
    ...rest,
  };
}

describe('a pending invoice shows', () => {
  test('the form', () => {
    expect(stateOf(PENDING, [], OPTIONS)).toEqual({ kind: 'form', notice: null });
  });

  test.each(['authorising', 'capturing'] as const)('that a payment is %s', (status) => {
    expect(stateOf(PENDING, [attempt(status)], OPTIONS)).toEqual({
      kind: 'processing',
      accountId: null,
    });
    const older = [attempt('declined'), attempt(status)];
    expect(stateOf(PENDING, older, OPTIONS)).toEqual({ kind: 'processing', accountId: null });
  });

  test('that a capture is in flight, whatever the attempts say', () => {
    const invoice = { ...PENDING, captureAttemptId: 'pay_1' };
    expect(stateOf(invoice, [], OPTIONS)).toEqual({ kind: 'processing', accountId: null });
  });

  test('that it is processed when its payment was completed between two reads', () => {
    expect(stateOf(PENDING, [attempt('captured')], OPTIONS)).toEqual({
      kind: 'processing',
      accountId: null,
    });
  });

  test('the form with the reason of the last decline', () => {
    const declined = attempt('declined', { declineReason: 'insufficient_funds' });
    expect(stateOf(PENDING, [declined], OPTIONS)).toEqual({
      kind: 'form',
      notice: {
        kind: 'declined',
        reason: 'insufficient_funds',
        cardBrand: 'visa',
        cardLast4: '4242',
      },
    });
  });

  test.each(['failed', 'abandoned'] as const)('a reason for an attempt that %s', (status) => {
    const state = stateOf(PENDING, [attempt(status)], OPTIONS);
    expect(state).toMatchObject({ notice: { kind: 'declined', reason: 'processing_error' } });
  });

  test('the way back to an open challenge', () => {
    const state = stateOf(PENDING, [attempt('challenge')], OPTIONS);
    expect(state).toMatchObject({ notice: { kind: 'challenge', url: 'https://bank.example/3ds' } });
  });

  test('no way to a challenge whose address is not known', () => {
    const state = stateOf(PENDING, [attempt('challenge', { challengeUrl: null })], OPTIONS);
    expect(state).toEqual({ kind: 'form', notice: null });
  });

  test('no form after too many attempts, but still the challenge of the last', () => {
    const declined = [attempt('declined'), attempt('declined'), attempt('declined')];
    const options = { ...OPTIONS, nextTryAtMs: 5_000 };
    const closed = stateOf(PENDING, declined, options);
    expect(closed).toEqual({ kind: 'too_many_attempts', challengeUrl: null, nextTryAtMs: 5_000 });
    const challenged = [attempt('challenge'), ...declined.slice(1)];
    expect(stateOf(PENDING, challenged, options)).toEqual({
      ...closed,
      challengeUrl: 'https://bank.example/3ds',
    });
  });

  test('no time of a next try beyond its end, where only an open challenge can be gone on with', () => {
    const at = (nextTryAtMs: number, last: AttemptStatus = 'declined') =>
      stateOf(PENDING, [attempt(last)], { ...OPTIONS, nextTryAtMs });
    expect(at(PENDING.endDateMs)).toMatchObject({ nextTryAtMs: PENDING.endDateMs });
    expect(at(PENDING.endDateMs + 1)).toMatchObject({ nextTryAtMs: null });
    const tooLate = PENDING.endDateMs + 1;
    expect([at(PENDING.endDateMs), at(tooLate), at(tooLate, 'challenge')].map(isPayable)).toEqual([
      true,
      false,
      true,
    ]);
  });

  test('that nothing can be paid without an acquirer', () => {
    const options = { ...OPTIONS, hasAcquirer: false };
    expect(stateOf(PENDING, [], options)).toEqual({ kind: 'unavailable' });
  });
});

test.each([
  ['PAID', 'paid'],
  ['EXPIRED', 'expired'],
  ['CANCELED', 'canceled'],
] as const)('a %s invoice is shown as %s, whatever its attempts', (status, kind) => {
  for (const each of [null, ...ATTEMPT_STATUSES]) {
    const attempts = each ? [attempt(each)] : [];
    const state = stateOf({ ...PENDING, status }, attempts, OPTIONS);
    expect(state.kind).toBe(kind);
    if (state.kind === 'expired' || state.kind === 'canceled') {
      expect(state.triedToPay).toBe(each !== null);
    }
  }
});

test('the version changes with every change that a buyer sees', () => {
  const steps = [
    [],
    [attempt('authorising')],
    [attempt('declined')],
    [attempt('challenge', { challengeUrl: null }), attempt('declined')],
    [attempt('challenge'), attempt('declined')],
    [attempt('declined', { createdAtMs: 1 }), attempt('declined')],
    [attempt('declined', { createdAtMs: 2 }), attempt('declined')],
  ];
  const versions = steps.map((attempts) =>
    versionOf(stateOf(PENDING, attempts, OPTIONS), attempts),
  );
  expect(new Set(versions).size).toBe(steps.length);
});

test('the version of an open form is the one that the gateway before tells', () => {
  const attempts = [attempt('declined', { createdAtMs: 1 })];
  expect(versionOf(stateOf(PENDING, attempts, OPTIONS), attempts)).toBe('form.1.declined');
});
