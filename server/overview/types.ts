import type { Currency } from '../lib/money.ts';

/** What can wait for somebody of a merchant, the most pressing first. */
export const CAUSE_KINDS = [
  'account_down',
  'callbacks_failing',
  'callbacks_exhausted',
  'disputes',
  'refunds_failed',
  'refunds_overdue',
  'books_differ',
  'second_factor',
] as const;
export type CauseKind = (typeof CAUSE_KINDS)[number];

/** Who of the merchant has seen it, and when. */
export type Acknowledged = {
  /** An e-mail address; null of a person who is gone. */
  by: string | null;
  atMs: number;
};

/** Something that waits for somebody of a merchant. */
export type Cause = {
  kind: CauseKind;
  /** Names it among the merchant's: the kind, and the account where each has its own. */
  cause: string;
  count: number;
  /** Whether counting stopped there. */
  isMore: boolean;
  /** The time of the newest part of it. */
  newestAtMs: number | null;
  /** The name of the account that it is about. */
  account: string | null;
  /** The newest refunds or disputes of it, at most three. */
  examples: { invoiceId: string; amountMinor: bigint; currency: Currency; atMs: number }[];
  /** Null where nobody has seen all of it. */
  acknowledged: Acknowledged | null;
};

/** What became of the invoices of some days. */
export type Outcomes = {
  created: number;
  /** Whether there are more, and these are the newest. */
  isSample: boolean;
  /** Those whose page a person opened, as far as it was noticed. */
  opened: number;
  tried: number;
  paid: number;
  /** The median time from creation to payment; null when none is paid. */
  medianMs: number | null;
  /** Why attempts failed, the commonest first: a decline reason, or the attempt's status without one. */
  reasons: { reason: string; count: number }[];
  /** The attempts that have ended, by method. */
  methods: { name: string; ended: number; approved: number }[];
};

/** The way of a new merchant to its first real payment, which ends it. */
export const CHECKLIST_STEPS = [
  'seller',
  'testPayment',
  'callback',
  'secondFactor',
  'colleague',
  'method',
  'live',
] as const;
export type Checklist = { step: (typeof CHECKLIST_STEPS)[number]; isDone: boolean }[];
