import type { InvoiceStatus } from '../invoices/types.ts';
import type { Environment, Tenant } from '../merchants/types.ts';
import type { Lane } from './life-lane.ts';

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

/** What the contract says must be true; nothing of the gateway's code is asked for it. */
export type Model = {
  /** Production has no acquirer: nothing is paid there. */
  environment: Environment;
  status: InvoiceStatus;
  endMs: number;
  /** When a 3-D Secure challenge was opened that is still open. */
  challengeAtMs: number | null;
  crash: CrashStage | null;
  /** When each attempt to pay was opened. */
  attemptsMs: number[];
  /** Null until the status is final, and somebody has looked for it. */
  callback: CallbackModel | null;
};

export type Real = { lane: Lane; tenant: Tenant; invoiceId: string; attemptId: string | null };

export const nowOf = (real: Real): Date => new Date(real.lane.clock.nowMs);
