import type { CallbackAttemptView } from '../callbacks/types.ts';
import type { InvoiceDetail, StatusChange } from '../invoices/detail.ts';
import type { Currency } from '../lib/money.ts';
import type { AuditView } from '../merchants/audit-list.ts';
import type { Dispute } from '../payments/disputes/disputes.ts';
import type { AcquirerTransaction } from '../payments/holds/acquirer-transactions.ts';
import type { AttemptStatus, PaymentAttempt } from '../payments/types.ts';
import type { ReceiptEmail } from '../receipts/emails.ts';
import type { RefundView } from '../refunds/invoice-refunds.ts';

/** What an acquirer that calls us told of a payment, and when. */
export type AcquirerStep = {
  step: 'reserved' | 'performed' | 'canceled' | 'reversed';
  atMs: number;
};

/** One line of the answer to "what happened to this invoice?". */
export type TimelineEntry = { key: string; atMs: number } & (
  | { kind: 'created'; requestId: string | null; by: string | null }
  | {
      kind: 'payment';
      status: AttemptStatus;
      /** Null where the buyer paid at an acquirer. */
      cardBrand: string | null;
      cardLast4: string | null;
      provider: string;
      /** The name of the account at an acquirer, null for the sandbox's own card form. */
      accountName: string | null;
      /** In the order of their times; none where the acquirer does not call. */
      steps: AcquirerStep[];
      declineReason: string | null;
      attemptId: string;
      /** The acquirer's id, which is on the receipt. */
      authorisationId: string | null;
      /** The payment's id in the acquirer's own lists, where that is another one. */
      transactionId: string | null;
      /** The acquirer's own receipt; null where it gives none. */
      acquirerReceiptUrl: string | null;
      /** What the acquirer keeps of the payment; null where it is not known. */
      fee: { amountMinor: bigint; currency: Currency } | null;
    }
  /** A buyer's dispute: as it was told first, and as it stands since it was told last. */
  | { kind: 'dispute'; isNews: boolean; dispute: Dispute }
  /** `isUntold`: the invoice has no address for a callback. */
  | { kind: 'status'; change: StatusChange; by: string | null; isUntold: boolean }
  | { kind: 'callback'; attempt: CallbackAttemptView }
  /** That a refund was asked for, and how it ended. */
  | { kind: 'refund'; step: 'asked' | 'succeeded' | 'failed'; refund: RefundView }
  /** An e-mail to the buyer, and what has become of it. */
  | { kind: 'email'; email: ReceiptEmail }
  | { kind: 'staff'; actor: string; action: string }
);

// These entries are shown as their results, with their authors.
const CANCEL = 'invoice.cancel';
const CREATE = 'invoice.create';
const REFUND = 'refund.create';
/** A callback's resend never precedes these: only the final status makes a callback. */
export const BEGINNINGS = [CREATE, CANCEL] as const;

// Events of the same millisecond are ordered by cause and effect.
const RANK = {
  created: 0,
  payment: 1,
  staff: 2,
  status: 3,
  callback: 4,
  refund: 5,
  email: 6,
  dispute: 7,
};

/** The acquirer's steps in the order of their times. */
function stepsOf(transaction: AcquirerTransaction | undefined): AcquirerStep[] {
  if (!transaction) return [];
  const { state, createdAtMs, performedAtMs, canceledAtMs } = transaction;
  const steps: AcquirerStep[] = [{ step: 'reserved', atMs: createdAtMs }];
  if (performedAtMs !== null) steps.push({ step: 'performed', atMs: performedAtMs });
  if (canceledAtMs !== null) {
    steps.push({ step: state === 'reversed' ? 'reversed' : 'canceled', atMs: canceledAtMs });
  }
  return steps;
}

/** A dispute's first line and, once there is more to tell, its last one. */
function disputeEntries(dispute: Dispute): TimelineEntry[] {
  const { id, createdAtMs, updatedAtMs } = dispute;
  const entry = { kind: 'dispute', dispute } as const;
  const first = { ...entry, key: `dispute-${id}`, atMs: createdAtMs, isNews: true };
  if (updatedAtMs === createdAtMs) return [first];
  return [first, { ...entry, key: `dispute-${id}-now`, atMs: updatedAtMs, isNews: false }];
}

/** That a refund was asked for, and how it ended. */
function refundEntries(refund: RefundView): TimelineEntry[] {
  const { id, status, createdAtMs, updatedAtMs } = refund;
  const kind = 'refund' as const;
  const asked = { key: id, kind, step: 'asked' as const, atMs: createdAtMs, refund };
  if (status === 'PENDING') return [asked];
  const step = status === 'SUCCEEDED' ? ('succeeded' as const) : ('failed' as const);
  return [asked, { key: `${id}-end`, kind, step, atMs: updatedAtMs, refund }];
}

/** Joins the records of seven parts of the gateway into one timeline, the oldest first. */
export function timelineOf(parts: {
  detail: InvoiceDetail;
  payments: readonly PaymentAttempt[];
  /** Of the accounts that the attempts name. */
  accountNames: Readonly<Record<string, string>>;
  transactions: readonly AcquirerTransaction[];
  disputes: readonly Dispute[];
  callbackAttempts: readonly CallbackAttemptView[];
  refunds: readonly RefundView[];
  /** None where it is not told. */
  emails?: readonly ReceiptEmail[];
  audit: readonly AuditView[];
}): TimelineEntry[] {
  const { detail, payments, accountNames, transactions, audit } = parts;
  const { disputes, callbackAttempts, refunds, emails = [] } = parts;
  const entries: TimelineEntry[] = [
    {
      key: 'created',
      kind: 'created',
      atMs: detail.invoice.createdAtMs,
      requestId: detail.requestId,
      by: audit.find(({ action }) => action === CREATE)?.actor ?? null,
    },
    ...payments.map((each) => ({
      key: each.id,
      kind: 'payment' as const,
      atMs: each.createdAtMs,
      status: each.status,
      cardBrand: each.cardBrand,
      cardLast4: each.cardLast4,
      provider: each.provider,
      accountName: each.accountId === null ? null : (accountNames[each.accountId] ?? each.provider),
      steps: stepsOf(transactions.find(({ attemptId }) => attemptId === each.id)),
      declineReason: each.declineReason,
      attemptId: each.id,
      authorisationId: each.authorisationId,
      transactionId: each.accountId === null ? null : each.transactionId,
      acquirerReceiptUrl: each.acquirerReceiptUrl,
      fee: each.feeMinor === null ? null : { amountMinor: each.feeMinor, currency: each.currency },
    })),
    ...disputes.flatMap(disputeEntries),
    ...callbackAttempts.map((attempt) => ({
      key: `callback-${attempt.number}`,
      kind: 'callback' as const,
      atMs: attempt.startedAt.getTime(),
      attempt,
    })),
    ...refunds.flatMap(refundEntries),
    ...emails.map((email) => ({
      key: email.id,
      kind: 'email' as const,
      atMs: email.endedAtMs ?? email.createdAtMs,
      email,
    })),
    ...audit
      .filter(({ action }) => ![CANCEL, CREATE, REFUND].includes(action))
      .map(({ id, atMs, actor, action }) => ({
        key: `audit-${id}`,
        kind: 'staff' as const,
        atMs,
        actor,
        action,
      })),
  ];
  const { change } = detail;
  if (change) {
    const by = audit.find(({ action }) => action === CANCEL)?.actor ?? null;
    const isUntold = detail.invoice.callbackUrl === null;
    entries.push({ key: 'status', kind: 'status', atMs: change.atMs, change, by, isUntold });
  }
  return entries.sort((a, b) => a.atMs - b.atMs || RANK[a.kind] - RANK[b.kind]);
}
