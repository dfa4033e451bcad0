// Made from the gateway's OpenAPI document; a test of the gateway holds the two against each other.

export type InvoiceCreateRequest = {
  /** Minor units, hundredths in all four currencies: 1500 is 15.00 USD, or 15.00 UZS */
  amount: number;
  /** ISO 4217 */
  currency: 'USD' | 'EUR' | 'RUB' | 'UZS';
  description: string;
  /** UTC, milliseconds, in the future; after it the invoice is EXPIRED */
  end_date: number;
  positions: Position[];
  /** Unique within the merchant and environment, compared exactly; no control characters. A repeat gets a 409. */
  merchant_transaction_id: string;
  /** Where the browser goes after a successful payment; http or https, no user name or password */
  success_url: string;
  /** Where the browser goes after an error or a cancellation; http or https, no user name or password */
  error_url: string;
  /** Where the status notification is POSTed; http or https, no user name or password */
  callback_url: string;
  /** Returned in the callback, with the same values in the same order. At most 16 KiB of JSON text as sent and 32 levels; numbers within ±9007199254740991. */
  merchant_data?: { [key: string]: unknown } | null;
};

/** A line of the invoice */
export type Position = {
  title: string;
  /** Minor units, hundredths in all four currencies: 1500 is 15.00 USD, or 15.00 UZS */
  amount: number;
  /** ISO 4217; the invoice's */
  currency: 'USD' | 'EUR' | 'RUB' | 'UZS';
};

export type InvoiceIdRequest = {
  /** The gateway's id of the invoice */
  invoice_id: string;
};

export type RefundRequest = {
  /** The gateway's id of the PAID invoice */
  invoice_id: string;
  /** Unique within the merchant and environment, compared exactly; no control characters. A repeat gets a 409. */
  refund_transaction_id: string;
  /** Minor units of the invoice’s currency; if omitted, everything that is left is refunded */
  amount?: number | null;
  /** It comes back as supplied, and acquirers may see it. In the sandbox `test:fail` fails, and `test:pending` stays PENDING for 5 seconds. */
  reason?: string | null;
};

export type TestPayRequest = {
  /** The gateway's id of the invoice */
  invoice_id: string;
  /** A test card's outcome; `approved` if left out */
  outcome?:
    | 'approved'
    | 'generic_decline'
    | 'insufficient_funds'
    | 'lost_card'
    | 'expired_card'
    | 'incorrect_cvc'
    | 'processing_error'
    | 'challenge_approved'
    | 'challenge_failed'
    | 'challenge_abandoned'
    | 'slow_approved'
    | null;
};

export type ListenRequest = {
  /** The listener’s own id, which it makes up */
  listener_id: string;
  /** `start` takes over from another listener; then `go_on`, each time after the answer; `stop` ends it */
  step: 'start' | 'go_on' | 'stop';
};

export type ForwardAnswerRequest = {
  forward_id: string;
  duration_ms: number;
  /** The status of the answer; omitted if there was none */
  http_status?: number | null;
  /** The bytes of the answer, at most 64 KiB */
  body_base64?: string | null;
  /** Why there is no complete answer */
  failure?:
    | 'connection_refused'
    | 'unreachable'
    | 'connection_closed'
    | 'name_not_found'
    | 'tls'
    | 'timeout'
    | 'too_large'
    | 'malformed_answer'
    | 'other'
    | null;
  /** The header Retry-After of the answer */
  retry_after?: string | null;
  /** The header Location of the answer */
  location?: string | null;
};

export type InvoiceCallbackRequest = {
  /** The gateway's id of the invoice */
  invoice_id: string;
  /** New status: 2 PAID, 3 EXPIRED, 4 CANCELED */
  status: 1 | 2 | 3 | 4;
  /** Minor units, hundredths in all four currencies: 1500 is 15.00 USD, or 15.00 UZS */
  amount: number;
  /** ISO 4217 */
  currency: 'USD' | 'EUR' | 'RUB' | 'UZS';
  description: string;
  merchant_transaction_id: string;
  positions: Position[];
  /** Data passed at creation; omitted if there was none */
  merchant_data?: { [key: string]: unknown };
  /** Creation time, UTC, milliseconds */
  created_at: number;
  /** Time of the last status change, UTC, milliseconds */
  updated_at: number;
  /** `provider`, `transaction_id` and `receipt_url` at least once PAID; otherwise {} */
  extra_data: { [key: string]: unknown };
};

export type InvoiceEvent = {
  type: 'invoice.paid' | 'invoice.expired' | 'invoice.canceled' | 'callback.exhausted';
  /** When it happened: ISO 8601, UTC, with milliseconds */
  timestamp: string;
  data: {
    invoice_id: string;
    merchant_transaction_id: string;
    /** As the event left it: 2 PAID, 3 EXPIRED, 4 CANCELED */
    status: 1 | 2 | 3 | 4;
    /** Minor units, hundredths in all four currencies: 1500 is 15.00 USD, or 15.00 UZS */
    amount: number;
    /** ISO 4217 */
    currency: 'USD' | 'EUR' | 'RUB' | 'UZS';
    /** On PAID `provider`, `transaction_id` and `receipt_url` at least; otherwise {} */
    extra_data: { [key: string]: unknown };
  };
};

export type RefundEvent = {
  type: 'refund.created' | 'refund.succeeded' | 'refund.failed';
  /** When it happened: ISO 8601, UTC, with milliseconds */
  timestamp: string;
  data: {
    invoice_id: string;
    refund_id: string;
    /** As supplied; null for a refund that began at the acquirer */
    refund_transaction_id: string | null;
    /** As the event left it: 1 PENDING, 2 SUCCEEDED, 3 FAILED */
    status: 1 | 2 | 3;
    /** Minor units, hundredths in all four currencies: 1500 is 15.00 USD, or 15.00 UZS */
    amount: number;
    /** ISO 4217 */
    currency: 'USD' | 'EUR' | 'RUB' | 'UZS';
    reason: string | null;
    /** Why it failed, in the acquirer’s words; null otherwise */
    failure_reason: string | null;
  };
};

export type InvoiceCreated = {
  /** The gateway's id of the invoice */
  invoice_id: string;
  /** The payment page: send the buyer here */
  invoice_url: string;
  success_url: string;
  error_url: string;
  /** 1 (PENDING) on creation */
  status: 1 | 2 | 3 | 4;
  /** Minor units, hundredths in all four currencies: 1500 is 15.00 USD, or 15.00 UZS */
  amount: number;
  /** ISO 4217 */
  currency: 'USD' | 'EUR' | 'RUB' | 'UZS';
  description: string;
  merchant_transaction_id: string;
  /** The data as supplied; null when there was none */
  merchant_data: { [key: string]: unknown } | null;
  /** UTC, milliseconds; after it the invoice is EXPIRED */
  end_date: number;
  /** UTC, milliseconds */
  created_at: number;
};

export type ValidationErrorResponse = {
  detail: ValidationItem[];
};

export type ValidationItem = {
  /** Where: body, query or header, then the field, array elements by index */
  loc: (string | number)[];
  msg: string;
  type:
    | 'missing'
    | 'int_type'
    | 'int_from_float'
    | 'greater_than'
    | 'less_than_equal'
    | 'string_type'
    | 'string_too_short'
    | 'string_too_long'
    | 'string_pattern_mismatch'
    | 'list_type'
    | 'too_short'
    | 'too_long'
    | 'dict_type'
    | 'model_attributes_type'
    | 'enum'
    | 'url_parsing'
    | 'url_scheme'
    | 'json_invalid'
    | 'value_error';
};

export type InvoiceStatus = {
  /** The gateway's id of the invoice */
  invoice_id: string;
  /** 1 PENDING, 2 PAID, 3 EXPIRED, 4 CANCELED */
  status: 1 | 2 | 3 | 4;
  /** UTC, milliseconds; after it the invoice is EXPIRED */
  end_date: number;
};

export type InvoiceDetails = {
  /** The gateway's id of the invoice */
  invoice_id: string;
  /** The payment page: send the buyer here */
  invoice_url: string;
  /** Null for a payment link that was made in the dashboard without it */
  success_url: string | null;
  /** Null for a payment link that was made in the dashboard without it */
  error_url: string | null;
  /** Null for a payment link that was made in the dashboard without it. Then no callback is sent */
  callback_url: string | null;
  /** 1 PENDING, 2 PAID, 3 EXPIRED, 4 CANCELED */
  status: 1 | 2 | 3 | 4;
  /** Minor units, hundredths in all four currencies: 1500 is 15.00 USD, or 15.00 UZS */
  amount: number;
  /** ISO 4217 */
  currency: 'USD' | 'EUR' | 'RUB' | 'UZS';
  description: string;
  merchant_transaction_id: string;
  positions: Position[];
  /** The data as supplied; null when there was none */
  merchant_data: { [key: string]: unknown } | null;
  /** UTC, milliseconds; after it the invoice is EXPIRED */
  end_date: number;
  /** UTC, milliseconds */
  created_at: number;
  /** Time of the last status change, or while PENDING of the creation; UTC, milliseconds */
  updated_at: number;
  /** The same as in the callback: on PAID `provider`, `transaction_id` and `receipt_url` at least */
  extra_data: { [key: string]: unknown };
  /** The sum of its refunds that are PENDING or SUCCEEDED, in minor units */
  refunded_amount: number;
  /** The notification of the status change; null while PENDING, and where callback_url is null */
  callback: {
    /** pending: more attempts will follow; exhausted: no more will */
    state: 'pending' | 'delivered' | 'exhausted';
    /** How many have been made so far */
    attempts: number;
    /** UTC, milliseconds; null unless pending */
    next_attempt_at: number | null;
  } | null;
};

export type InvoiceList = {
  /** The newest first */
  invoices: InvoiceRecord[];
  /** Null on the last page */
  next_cursor: string | null;
};

export type InvoiceRecord = {
  /** The gateway's id of the invoice */
  invoice_id: string;
  /** The payment page: send the buyer here */
  invoice_url: string;
  /** Null for a payment link that was made in the dashboard without it */
  success_url: string | null;
  /** Null for a payment link that was made in the dashboard without it */
  error_url: string | null;
  /** Null for a payment link that was made in the dashboard without it. Then no callback is sent */
  callback_url: string | null;
  /** 1 PENDING, 2 PAID, 3 EXPIRED, 4 CANCELED */
  status: 1 | 2 | 3 | 4;
  /** Minor units, hundredths in all four currencies: 1500 is 15.00 USD, or 15.00 UZS */
  amount: number;
  /** ISO 4217 */
  currency: 'USD' | 'EUR' | 'RUB' | 'UZS';
  description: string;
  merchant_transaction_id: string;
  positions: Position[];
  /** The data as supplied; null when there was none */
  merchant_data: { [key: string]: unknown } | null;
  /** UTC, milliseconds; after it the invoice is EXPIRED */
  end_date: number;
  /** UTC, milliseconds */
  created_at: number;
  /** Time of the last status change, or while PENDING of the creation; UTC, milliseconds */
  updated_at: number;
  /** The same as in the callback: on PAID `provider`, `transaction_id` and `receipt_url` at least */
  extra_data: { [key: string]: unknown };
  /** The sum of its refunds that are PENDING or SUCCEEDED, in minor units */
  refunded_amount: number;
};

export type EventList = {
  /** The oldest first */
  events: Event[];
  /** Send it as `after` next time. With nothing new it is the one that was sent. */
  next_cursor: string;
};

export type Event = {
  /** The event’s id, the same whenever it is read */
  event_id: string;
  type:
    | 'invoice.created'
    | 'invoice.paid'
    | 'invoice.expired'
    | 'invoice.canceled'
    | 'refund.created'
    | 'refund.succeeded'
    | 'refund.failed'
    | 'callback.exhausted';
  /** UTC, milliseconds; the order is that of the list */
  at: number;
  invoice_id: string;
  /** The refund that the event is about; omitted in an invoice’s event */
  refund_id?: string;
  /** The invoice as the event left it: merchant_transaction_id, status, amount, currency, extra_data. In a refund’s event the refund: refund_transaction_id, status, amount, currency, reason, failure_reason. */
  data: { [key: string]: unknown };
};

export type Refund = {
  /** The gateway's id of the refund */
  refund_id: string;
  /** The gateway's id of the invoice */
  invoice_id: string;
  /** The id as supplied; null for a refund that began at the acquirer */
  refund_transaction_id: string | null;
  /** Minor units, hundredths in all four currencies: 1500 is 15.00 USD, or 15.00 UZS */
  amount: number;
  /** ISO 4217 */
  currency: 'USD' | 'EUR' | 'RUB' | 'UZS';
  /** 1 PENDING, 2 SUCCEEDED, 3 FAILED. A refund that succeeded can still fail days later, if the buyer’s bank sends the money back. */
  status: 1 | 2 | 3;
  /** The reason as supplied, or as the acquirer told it */
  reason: string | null;
  /** Why it failed, in the acquirer’s words; null otherwise */
  failure_reason: string | null;
  /** UTC, milliseconds */
  created_at: number;
  /** UTC, milliseconds */
  updated_at: number;
};

export type RefundList = {
  /** The oldest first */
  refunds: Refund[];
  /** The sum of the refunds that are PENDING or SUCCEEDED, in minor units */
  refunded_amount: number;
  /** What is left of the payment, in minor units; 0 without one */
  refundable_amount: number;
};

export type ResendAnswer = {
  invoice_id: string;
};

export type TestPayment = {
  /** The gateway's id of the invoice */
  invoice_id: string;
  /** 1 PENDING, 2 PAID, 3 EXPIRED, 4 CANCELED */
  status: 1 | 2 | 3 | 4;
  /** UTC, milliseconds; after it the invoice is EXPIRED */
  end_date: number;
  /** Null unless declined. Null with status 1: the acquirer has not answered within 5 seconds; the callback will tell the outcome */
  decline_reason:
    | 'generic_decline'
    | 'insufficient_funds'
    | 'lost_card'
    | 'expired_card'
    | 'incorrect_cvc'
    | 'processing_error'
    | 'authentication_failed'
    | 'challenge_abandoned'
    | 'test_card_required'
    | null;
};

export type ListenAnswer = {
  /** UTC, milliseconds; after this, unless it asks again, callbacks go to their own addresses */
  listening_until: number;
  callbacks: ForwardedCallback[];
};

export type ForwardedCallback = {
  /** The answer names it */
  forward_id: string;
  invoice_id: string;
  /** 1 for the first */
  attempt: number;
  /** Where it would go without a listener */
  url: string;
  /** The headers as the gateway sends them, signature included */
  headers: {
    name: string;
    value: string;
  }[];
  /** The exact text that is signed */
  body: string;
};

export type CallbackVerdict = {
  attempt: number;
  delivered: boolean;
  /** Why it was not delivered, in plain words; null if it was */
  reason: string | null;
  /** The scheduled wait, to which a little may be added; null if no attempt will follow */
  next_attempt_in_ms: number | null;
};
