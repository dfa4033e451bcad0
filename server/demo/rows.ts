import type { CallbackState } from '../callbacks/types.ts';
import type { InvoiceStatus } from '../invoices/types.ts';
import type { Currency } from '../lib/money.ts';
import type { AttemptStatus } from '../payments/types.ts';

/** Times go into the database as ISO 8601. */
type Instant = string;

export type InvoiceSeed = {
  id: string;
  merchant_transaction_id: string;
  status: InvoiceStatus;
  amount_minor: number;
  currency: Currency;
  description: string;
  positions: string;
  merchant_data: string | null;
  success_url: string;
  error_url: string;
  callback_url: string;
  end_date: Instant;
  created_at: Instant;
  status_changed_at: Instant;
  capture_attempt_id: string | null;
  extra_data: string | null;
  refunded_minor: number;
  request_id: string;
};

export type EventSeed = {
  invoice_id: string;
  to_status: InvoiceStatus;
  at: Instant;
  actor_type: 'api' | 'buyer' | 'clock' | 'staff' | 'operator';
  actor_id: string | null;
  request_id: string | null;
};

export type PaymentSeed = {
  id: string;
  invoice_id: string;
  status: AttemptStatus;
  authorisation_id: string;
  amount_minor: number;
  currency: Currency;
  card_brand: string;
  card_last4: string;
  decline_reason: string | null;
  created_at: Instant;
  updated_at: Instant;
};

export type AuthorisationSeed = {
  id: string;
  idempotency_key: string;
  amount_minor: number;
  currency: Currency;
  outcome: string;
  state: 'approved' | 'declined';
  decline_reason: string | null;
  created_at: Instant;
  answers_at: Instant;
};

export type LedgerSeed = {
  authorisation_id: string;
  kind: 'authorisation' | 'capture' | 'void';
  amount_minor: number;
  currency: Currency;
  at: Instant;
};

export type RefundSeed = {
  id: string;
  invoice_id: string;
  attempt_id: string;
  authorisation_id: string;
  refund_transaction_id: string;
  amount_minor: number;
  currency: Currency;
  status: 'SUCCEEDED' | 'FAILED';
  reason: string | null;
  failure_reason: string | null;
  actor_type: 'api' | 'staff';
  actor_id: string | null;
  request_id: string | null;
  created_at: Instant;
  updated_at: Instant;
};

/** The result of a callback that an invoice of the seed wrote when its status changed. */
export type CallbackSeed = {
  invoice_id: string;
  state: CallbackState;
  attempt_count: number;
  extra_attempts: number;
  next_attempt_at: Instant;
  delivered_at: Instant | null;
  last_reason: string | null;
  last_http_status: number | null;
};

export type CallbackAttemptSeed = {
  invoice_id: string;
  number: number;
  started_at: Instant;
  duration_ms: number;
  http_status: number | null;
  delivered: boolean;
  reason: string | null;
  /** The answer's text. */
  answer: string | null;
  trigger: 'schedule' | 'resend';
};

export type AuditSeed = { at: Instant; action: string; target_id: string; details?: object };

/** All rows of some invoices, by table. */
export type SeedRows = {
  invoices: InvoiceSeed[];
  events: EventSeed[];
  payments: PaymentSeed[];
  authorisations: AuthorisationSeed[];
  ledger: LedgerSeed[];
  refunds: RefundSeed[];
  callbacks: CallbackSeed[];
  callbackAttempts: CallbackAttemptSeed[];
  audit: AuditSeed[];
};

export function noRows(): SeedRows {
  return {
    invoices: [],
    events: [],
    payments: [],
    authorisations: [],
    ledger: [],
    refunds: [],
    callbacks: [],
    callbackAttempts: [],
    audit: [],
  };
}

export const iso = (timeMs: number): Instant => new Date(timeMs).toISOString();
