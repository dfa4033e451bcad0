import type { WrittenEventType } from '../events/types.ts';
import type { InvoiceStatus } from '../invoices/types.ts';
import type { Environment } from '../merchants/types.ts';

export const CALLBACK_STATES = ['pending', 'delivered', 'exhausted'] as const;
/** pending: an attempt is due or being made; exhausted: stays until staff resend it. */
export type CallbackState = (typeof CALLBACK_STATES)[number];

/**
 * notification: of an invoice's status, as the contract has it; event: of the list of events, to an
 * address of the merchant's.
 */
export const CALLBACK_KINDS = ['notification', 'event'] as const;
export type CallbackKind = (typeof CALLBACK_KINDS)[number];

/**
 * The cause of an attempt: our schedule, or a person's resend; or its way through a developer's
 * listener.
 */
export type AttemptTrigger = 'schedule' | 'resend' | 'listener';

/** A row that this worker has claimed and has to send before its lease ends. */
export type ClaimedCallback = {
  /** `ntf_…`, or `evt_…` of an event */
  id: string;
  kind: CallbackKind;
  invoiceId: string;
  merchantId: string;
  environment: Environment;
  url: string;
  /** The exact bytes to sign and to send. */
  body: Buffer;
  /** The number recorded before this one. */
  attemptCount: number;
  /** The number of them that took a step of the schedule. */
  stepsTaken: number;
  /** The due time in the database's form; identifies this attempt among the callback's. */
  dueAt: string;
  trigger: AttemptTrigger;
  /** The id of the original request, for the log; null if no request caused it. */
  requestId: string | null;
  /** The lease is too short to begin the attempt from then on, by `performance.now()`. */
  sendBeforeMs: number;
};

/** The reason for a missing or incomplete answer; reasons.ts has the words. */
export type SendFailure =
  | 'url_invalid'
  | 'address_refused'
  | 'port_refused'
  /** The name may lead to a refused address too: nobody is told which. */
  | 'name_not_found'
  | 'name_lookup_failed'
  | 'connection_refused'
  | 'unreachable'
  | 'connection_closed'
  | 'tls'
  | 'timeout'
  | 'too_large'
  | 'malformed_answer'
  | 'no_signing_secret'
  | 'other';

/** The fault that keeps a body from being the contract's answer. */
export type BodyFault =
  | 'empty'
  | 'not_json'
  | 'not_decoded'
  | 'not_object'
  | 'success_missing'
  | 'success_not_true';

/** The observation of one request, without a verdict. */
export type Observation = {
  startedAt: Date;
  durationMs: number;
  /** Null without a status line. */
  httpStatus: number | null;
  /** The received part of the body, decoded, at most 64 KiB. */
  body: Buffer;
  failure: SendFailure | null;
  /** The answer's raw header. */
  retryAfter: string | null;
  location: string | null;
  /** The error's own message for a failure `other`, for the operator's log. */
  cause?: string;
  /** The answer has a Content-Encoding that could not be decoded. */
  isEncoded?: true;
  /** The callback went through a developer's listener, not to its address. */
  via?: 'listener';
};

/** One attempt and its consequences, ready to be recorded. */
export type AttemptResult = {
  /** The callback's id. */
  id: string;
  invoiceId: string;
  merchantId: string;
  attemptCountBefore: number;
  /** The row's due time when claimed: this result counts while it is unchanged. */
  dueAt: string;
  state: CallbackState;
  nextAttemptAt: Date;
  startedAt: Date;
  durationMs: number;
  httpStatus: number | null;
  reason: string | null;
  /** The first 2 KiB of the answer; null without one. */
  answer: Buffer | null;
  trigger: AttemptTrigger;
};

/** A callback as staff see it. Instants in UTC. */
export type CallbackView = {
  /** `ntf_…`, or `evt_…` of an event */
  id: string;
  kind: CallbackKind;
  /** Null of a notification. */
  eventType: WrittenEventType | null;
  invoiceId: string;
  /** The `webhook-id` that the merchant sees. */
  messageId: string;
  url: string;
  host: string;
  invoiceStatus: InvoiceStatus;
  state: CallbackState;
  attemptCount: number;
  /** The number of them that took a step of the schedule. */
  stepsTaken: number;
  /** Null unless an attempt is still to come. */
  nextAttemptAt: Date | null;
  /** Whether that attempt was requested, and takes no step. */
  isResend: boolean;
  inFlight: boolean;
  createdAt: Date;
  deliveredAt: Date | null;
  lastReason: string | null;
  lastHttpStatus: number | null;
};

export type CallbackAttemptView = {
  number: number;
  startedAt: Date;
  durationMs: number;
  httpStatus: number | null;
  delivered: boolean;
  reason: string | null;
  /** The first 2 KiB of the answer, with bytes that are not UTF-8 replaced. */
  answer: string | null;
  trigger: AttemptTrigger;
};
