import type { InvoiceStatus } from '../invoices/types.ts';
import type { Environment } from '../merchants/types.ts';

export const CALLBACK_STATES = ['pending', 'delivered', 'exhausted'] as const;
/** pending: an attempt is due or being made; exhausted: stays until staff resend it. */
export type CallbackState = (typeof CALLBACK_STATES)[number];

/**
 * What an attempt is made for: our schedule, or whoever asked for it; or that it went through a
 * developer's listener.
 */
export type AttemptTrigger = 'schedule' | 'resend' | 'listener';

/** A row that this worker has claimed and has to send before its lease ends. */
export type ClaimedCallback = {
  /** `ntf_…` */
  id: string;
  invoiceId: string;
  merchantId: string;
  environment: Environment;
  url: string;
  /** The exact bytes to sign and to send. */
  body: Buffer;
  /** Attempts recorded before this one. */
  attemptCount: number;
  /** How many of them took a step of the schedule. */
  stepsTaken: number;
  /** As the database writes it; tells this attempt from the callback's others. */
  dueAt: string;
  trigger: AttemptTrigger;
  /** Of the request that it goes back to, for the log; null when nobody asked by one. */
  requestId: string | null;
  /** By `performance.now()`: from then on its lease is too short to begin the attempt. */
  sendBeforeMs: number;
};

/** Why no complete answer came; the words for it stand in reasons.ts. */
export type SendFailure =
  | 'url_invalid'
  | 'address_refused'
  | 'port_refused'
  /** Or it leads to an address that is refused: nobody is told which. */
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

/** What keeps a body from being the answer that the contract asks for. */
export type BodyFault =
  | 'empty'
  | 'not_json'
  | 'not_decoded'
  | 'not_object'
  | 'success_missing'
  | 'success_not_true';

/** What was seen of one request; says nothing about whether it counts. */
export type Observation = {
  startedAt: Date;
  durationMs: number;
  /** Null when no status line came. */
  httpStatus: number | null;
  /** What came of the body, decoded, at most 64 KiB. */
  body: Buffer;
  failure: SendFailure | null;
  /** The raw header of the answer. */
  retryAfter: string | null;
  location: string | null;
  /** What the error of a failure `other` says of itself: for the operator's log. */
  cause?: string;
  /** The answer has a Content-Encoding that could not be decoded. */
  isEncoded?: true;
  /** It did not go to the callback's address but through a developer's listener. */
  via?: 'listener';
};

/** One attempt and what follows from it, ready to be recorded. */
export type AttemptResult = {
  /** The callback's. */
  id: string;
  invoiceId: string;
  merchantId: string;
  attemptCountBefore: number;
  /** When the row was due as it was claimed: while it still is, this result counts. */
  dueAt: string;
  state: CallbackState;
  nextAttemptAt: Date;
  startedAt: Date;
  durationMs: number;
  httpStatus: number | null;
  reason: string | null;
  /** The first 2 KiB of the answer; null when there was none. */
  answer: Buffer | null;
  trigger: AttemptTrigger;
};

/** A callback as staff see it. Instants in UTC. */
export type CallbackView = {
  /** `ntf_…` */
  id: string;
  invoiceId: string;
  /** The `webhook-id` that the merchant sees. */
  messageId: string;
  url: string;
  host: string;
  invoiceStatus: InvoiceStatus;
  state: CallbackState;
  attemptCount: number;
  /** How many of them took a step of the schedule. */
  stepsTaken: number;
  /** Null unless an attempt is still to come. */
  nextAttemptAt: Date | null;
  /** Whether that one was asked for, and takes no step. */
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
  /** The first 2 KiB of the answer, bytes that are not UTF-8 replaced. */
  answer: string | null;
  trigger: AttemptTrigger;
};
