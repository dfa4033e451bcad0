import type { InvoiceStatus } from '../../invoices/types.ts';
import type { Environment, Tenant } from '../../merchants/types.ts';
import type { PayOutcome } from '../../payments/pay.ts';
import type { Lane } from './life-lane.ts';
import type { Asleep } from './life-slow.ts';

/** What must be true of the notification of a final status. */
export type CallbackModel = {
  state: 'pending' | 'delivered' | 'exhausted';
  attempts: number;
  /** Attempts that were made by schedule. */
  steps: number;
  isResend: boolean;
  /** An attempt that did not count was recorded. */
  hasFailed: boolean;
  dueMs: number;
  /** Somebody claimed it, died, and holds it until then. */
  heldUntilMs: number;
};

/**
 * How far a process got with a payment before it died; `withdrawn`: it had claimed, and the
 * acquirer takes the capture no more.
 */
export const CRASH_STAGES = ['opened', 'authorised', 'claimed', 'captured', 'withdrawn'] as const;
export type CrashStage = (typeof CRASH_STAGES)[number];

/** How a 3-D Secure challenge ends: some cards have it end so whatever the buyer presses. */
export type ChallengeEnd = 'as answered' | 'fail' | 'leave';

/** What the contract says must be true; nothing of the gateway's code is asked for it. */
export type Model = {
  /** Production has no acquirer: nothing is paid there. */
  environment: Environment;
  status: InvoiceStatus;
  endMs: number;
  /** The 3-D Secure challenge that is open. */
  challenge: { openedAtMs: number; end: ChallengeEnd } | null;
  /** A process waits for an acquirer that takes long; it is over where recovery was faster. */
  slow: { answersAtMs: number; isOver: boolean } | null;
  crash: CrashStage | null;
  /** When each attempt to pay was opened. */
  attemptsMs: number[];
  /** How many of them never reached the acquirer. */
  lostAttempts: number;
  /** Null until the status is final, and somebody has looked for it. */
  callback: CallbackModel | null;
};

export type Real = {
  lane: Lane;
  tenant: Tenant;
  invoiceId: string;
  attemptId: string | null;
  /** The process that waits for an acquirer that takes long. */
  slow: Asleep<PayOutcome> | null;
};

export const nowOf = (real: Real): Date => new Date(real.lane.clock.nowMs);
