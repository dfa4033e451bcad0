import type { InvoiceStatus } from '../../invoices/types.ts';
import type { Environment, Tenant } from '../../merchants/types.ts';
import type { PayOutcome } from '../../payments/pay.ts';
import type { RefundStatus } from '../../refunds/types.ts';
import type { Lane } from './life-lane.ts';
import type { Asleep } from './life-slow.ts';

/** The contract's requirements on the notification of a final status. */
export type CallbackModel = {
  state: 'pending' | 'delivered' | 'exhausted';
  attempts: number;
  /** The number of scheduled attempts made. */
  steps: number;
  isResend: boolean;
  /** A failed attempt was recorded. */
  hasFailed: boolean;
  dueMs: number;
  /** A process claimed it and died, and its claim lasts until then. */
  heldUntilMs: number;
};

/**
 * How far a process got with a payment before it died; `withdrawn`: it had claimed, and the
 * acquirer no longer accepts the capture.
 */
export const CRASH_STAGES = ['opened', 'authorised', 'claimed', 'captured', 'withdrawn'] as const;
export type CrashStage = (typeof CRASH_STAGES)[number];

/** How a 3-D Secure challenge ends: some cards end it in one way whatever the buyer presses. */
export type ChallengeEnd = 'as answered' | 'fail' | 'leave';

/** What every invoice of a life comes to. */
export const AMOUNT_MINOR = 1500n;

/** The contract's requirements on one refund. */
export type RefundModel = {
  transactionId: string;
  amountMinor: bigint;
  status: RefundStatus;
  /** From when a question about an open one ends it. */
  dueMs: number;
  /** It succeeded, though it may have failed after that. */
  wasSuccessful: boolean;
};

/** What the contract requires, independent of the gateway's code. */
export type Model = {
  /** Production has no acquirer, so nothing is paid there. */
  environment: Environment;
  status: InvoiceStatus;
  endMs: number;
  /** The open 3-D Secure challenge. */
  challenge: { openedAtMs: number; end: ChallengeEnd } | null;
  /** A process waits for a slow acquirer; it is over when recovery was faster. */
  slow: { answersAtMs: number; isOver: boolean } | null;
  crash: CrashStage | null;
  /** When each payment attempt was opened. */
  attemptsMs: number[];
  /** How many of them never reached the acquirer. */
  lostAttempts: number;
  /** Null until the status is final and has been read. */
  callback: CallbackModel | null;
  /** In the order in which they were asked for. */
  refunds: RefundModel[];
};

export type Real = {
  lane: Lane;
  tenant: Tenant;
  invoiceId: string;
  attemptId: string | null;
  /** The process that waits for a slow acquirer. */
  slow: Asleep<PayOutcome> | null;
};

export const nowOf = (real: Real): Date => new Date(real.lane.clock.nowMs);
