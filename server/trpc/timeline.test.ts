import { expect, it } from 'vitest';
import type { InvoiceDetail } from '../invoices/detail.ts';
import type { PaymentAttempt } from '../payments/types.ts';
import { timelineOf } from './timeline.ts';

const detail = {
  invoice: { createdAtMs: 1_000 },
  requestId: 'req-1',
  change: { atMs: 2_000, status: 'PAID', actorType: 'buyer', actorId: null, requestId: null },
} as InvoiceDetail;

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
    { id: 'p2', createdAtMs: 2_000 },
    { id: 'p1', createdAtMs: 1_500 },
  ];
  const entries = timelineOf({
    detail,
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
    payments: [{ id: 'p1', createdAtMs: 2_000 }] as PaymentAttempt[],
    callbackAttempts: [callbackAttempt],
    audit: [{ id: '7', atMs: 2_000, actor: 'a@example.com', action: 'callback.resend' }],
  });
  const kinds = ['created', 'payment', 'staff', 'status', 'callback'];
  expect(entries.map(({ kind }) => kind)).toEqual(kinds);
});

it('a pending invoice has no change of status yet', () => {
  const parts = {
    detail: { ...detail, change: null },
    payments: [],
    callbackAttempts: [],
    audit: [],
  };
  expect(timelineOf(parts).map(({ kind }) => kind)).toEqual(['created']);
});
