import { expect, it } from 'vitest';
import type { InvoiceDetail } from '../invoices/detail.ts';
import type { Dispute } from '../payments/disputes/disputes.ts';
import type { AcquirerTransaction } from '../payments/holds/acquirer-transactions.ts';
import type { PaymentAttempt } from '../payments/types.ts';
import { timelineOf } from './timeline.ts';

const detail = {
  invoice: { createdAtMs: 1_000 },
  requestId: 'req-1',
  change: { atMs: 2_000, status: 'PAID', actorType: 'buyer', actorId: null, requestId: null },
} as InvoiceDetail;

const NO_ACQUIRER = { accountNames: {}, transactions: [], disputes: [], refunds: [] };

const callbackAttempt = {
  number: 1,
  startedAt: new Date(2_000),
  durationMs: 12,
  httpStatus: 200,
  delivered: true,
  reason: null,
  answer: '{"success":true}',
  trigger: 'schedule' as const,
};

it('the story in the order of its times', () => {
  const payments = [
    { id: 'p2', createdAtMs: 2_000, accountId: null },
    { id: 'p1', createdAtMs: 1_500, accountId: null },
  ];
  const entries = timelineOf({
    detail,
    ...NO_ACQUIRER,
    payments: payments as PaymentAttempt[],
    callbackAttempts: [callbackAttempt],
    audit: [{ id: '7', atMs: 3_000, actor: 'a@example.com', action: 'callback.resend' }],
  });
  expect(entries.map(({ key }) => key)).toEqual([
    'created',
    'p1',
    'p2',
    'status',
    'callback-1',
    'audit-7',
  ]);
});

it('what has one time stands in the order of cause and effect', () => {
  const entries = timelineOf({
    detail: { ...detail, invoice: { ...detail.invoice, createdAtMs: 2_000 } },
    ...NO_ACQUIRER,
    payments: [{ id: 'p1', createdAtMs: 2_000, accountId: null }] as PaymentAttempt[],
    callbackAttempts: [callbackAttempt],
    audit: [{ id: '7', atMs: 2_000, actor: 'a@example.com', action: 'callback.resend' }],
  });
  const kinds = ['created', 'payment', 'staff', 'status', 'callback'];
  expect(entries.map(({ kind }) => kind)).toEqual(kinds);
});

it('a pending invoice has no change of status yet', () => {
  const parts = {
    detail: { ...detail, change: null },
    ...NO_ACQUIRER,
    payments: [],
    callbackAttempts: [],
    audit: [],
  };
  expect(timelineOf(parts).map(({ kind }) => kind)).toEqual(['created']);
});

it('an attempt at an acquirer names the account, and tells the acquirer’s steps in their order', () => {
  const base = { attemptId: 'p1', createdAtMs: 1_500, performedAtMs: null, canceledAtMs: null };
  const stepsOf = (transaction: object) => {
    const [, entry] = timelineOf({
      detail: { ...detail, change: null },
      payments: [
        { id: 'p1', createdAtMs: 1_500, accountId: 'acq_1', cardBrand: null, cardLast4: null },
      ] as PaymentAttempt[],
      ...NO_ACQUIRER,
      accountNames: { acq_1: 'Payme of the shop' },
      transactions: [{ ...base, ...transaction } as AcquirerTransaction],
      callbackAttempts: [],
      audit: [],
    });
    expect(entry).toMatchObject({ kind: 'payment', accountName: 'Payme of the shop' });
    return entry?.kind === 'payment' ? entry.steps.map(({ step, atMs }) => `${step} ${atMs}`) : [];
  };
  expect(stepsOf({ state: 'created' })).toEqual(['reserved 1500']);
  expect(stepsOf({ state: 'canceled', canceledAtMs: 1_600 })).toEqual([
    'reserved 1500',
    'canceled 1600',
  ]);
  expect(stepsOf({ state: 'reversed', performedAtMs: 1_700, canceledAtMs: 1_800 })).toEqual([
    'reserved 1500',
    'performed 1700',
    'reversed 1800',
  ]);
});

it('a dispute stands where it was told, and where it was told last', () => {
  const dispute = { id: 'du_1', createdAtMs: 4_000, updatedAtMs: 4_000, status: 'needs_response' };
  const told = (disputes: object[]) =>
    timelineOf({
      ...NO_ACQUIRER,
      detail,
      payments: [],
      disputes: disputes as Dispute[],
      callbackAttempts: [callbackAttempt],
      audit: [],
    })
      .filter(({ kind }) => kind === 'dispute')
      .map(({ key, atMs }) => `${key} ${atMs}`);
  expect(told([dispute])).toEqual(['dispute-du_1 4000']);
  expect(told([{ ...dispute, status: 'won', updatedAtMs: 9_000 }])).toEqual([
    'dispute-du_1 4000',
    'dispute-du_1-now 9000',
  ]);
});

it('a payment at an acquirer with its id in the lists there, which the card form has not', () => {
  const paid = { createdAtMs: 1_500, authorisationId: 'cs_1', transactionId: 'pi_1' };
  const entries = timelineOf({
    detail,
    ...NO_ACQUIRER,
    payments: [
      { ...paid, id: 'p1', accountId: 'acq_1', acquirerReceiptUrl: 'https://pay.example/r/1' },
      { ...paid, id: 'p2', accountId: null, acquirerReceiptUrl: null },
    ] as PaymentAttempt[],
    callbackAttempts: [],
    audit: [],
  });
  expect(entries.filter(({ kind }) => kind === 'payment')).toMatchObject([
    { transactionId: 'pi_1', acquirerReceiptUrl: 'https://pay.example/r/1' },
    { transactionId: null, acquirerReceiptUrl: null },
  ]);
});
