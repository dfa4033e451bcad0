/** An unsuccessful answer of the API: its message, its cause, and its cure. */
export type ApiError = {
  /** Its anchor on the page. */
  id: string;
  status: number;
  /** The `type` of an item of a 422. */
  type?: string;
  /** The message as sent; figures and names in it are examples. */
  message: string;
  why: string;
  cure: string;
};

/** The answers in the envelope, whose `error_code` is the HTTP status. */
export const ENVELOPE_ERRORS: ApiError[] = [
  {
    id: 'unauthorized',
    status: 401,
    message: 'Unauthorized',
    why: 'The token is missing, wrong, expired or deactivated; it belongs to the other environment; `X-Merchant` is missing or is not the id of the merchant whose token it is; or the merchant is suspended. The answer does not say which, so that nobody learns by guessing.',
    cure: 'Send `Authorization: Bearer <token>` and `X-Merchant: <merchant id>`, both for the environment in the path. Deactivated tokens are listed under Developers in the dashboard.',
  },
  {
    id: 'forbidden',
    status: 403,
    message: 'Forbidden',
    why: 'The token is valid, but lacks the scope that the request needs: `invoices.write`, `invoices.read`, `refunds.write`, `callbacks.write` or `sandbox`. A new token has all but `refunds.write`. Or the token is limited to a list of addresses, and the request came from another one.',
    cure: 'Use a token with the scope, or create one. Under Developers in the dashboard each token is listed with its scopes, with the addresses from which it works, and with when, where and for what it was last used.',
  },
  {
    id: 'not-found',
    status: 404,
    message: 'Not found',
    why: 'There is nothing at this path: a typo, a trailing slash, an environment that is neither `sandbox` nor `production`, or a `/test/…` endpoint in production.',
    cure: 'Compare the path with the API reference. The base is `/api/sandbox` or `/api/production`, and paths end without a slash.',
  },
  {
    id: 'invoice-not-found',
    status: 404,
    message: 'Invoice not found',
    why: 'No invoice with this id exists for this merchant in this environment. An invoice of another merchant or of the other environment gets the same answer.',
    cure: 'Check that the id was stored in full and that the environment is the one in which the invoice was created. If the answer to a create was lost, ask by `merchant_transaction_id`.',
  },
  {
    id: 'method-not-allowed',
    status: 405,
    message: 'Method not allowed',
    why: 'The path exists, but with another method.',
    cure: 'Use the method that the `Allow` header of the answer names: `GET` to read, `POST` for everything else.',
  },
  {
    id: 'duplicate',
    status: 409,
    message: 'Invoice with this merchant_transaction_id already exists',
    why: 'An invoice with this `merchant_transaction_id` was created before. Ids are compared exactly, per merchant and environment, forever.',
    cure: 'If it is your own repeat after a lost answer, read the invoice by `GET /invoice/status?merchant_transaction_id=…`, and send an `Idempotency-Key` from now on. A new attempt to pay an order is a new invoice with a new id.',
  },
  {
    id: 'cancel-final',
    status: 409,
    message: 'Invoice cannot be cancelled: it is already PAID',
    why: 'The invoice is PAID or EXPIRED, and the message says which. Both are final.',
    cure: 'Accept the status: deliver or refund a paid order; an expired one does not need cancelling. (Cancelling a CANCELED invoice again is no error: it answers 200.)',
  },
  {
    id: 'cancel-payment-in-progress',
    status: 409,
    message: 'Invoice cannot be cancelled: a payment is being completed',
    why: 'Its payment is being captured right now. Usually within seconds, and after a crash within a minute, the invoice is PAID or open again; an acquirer that has not answered yet can take longer.',
    cure: 'Wait a few seconds and cancel again; the answer then tells you the outcome.',
  },
  {
    id: 'refund-exists',
    status: 409,
    message: 'Refund with this refund_transaction_id already exists',
    why: 'A refund with this `refund_transaction_id` was made before, for this invoice or another. Ids are compared exactly, per merchant and environment, forever.',
    cure: 'If it is your own repeat after a lost answer, read `GET /invoice/refunds`, and send an `Idempotency-Key` from now on. Every new refund needs a new id.',
  },
  {
    id: 'refund-not-paid',
    status: 409,
    message: 'Invoice cannot be refunded: it is PENDING',
    why: 'Only a PAID invoice can be refunded; the message says what this one is.',
    cure: 'Cancel an invoice that is PENDING. One that is EXPIRED or CANCELED took no money.',
  },
  {
    id: 'refund-too-much',
    status: 409,
    message: 'Refund exceeds the refundable amount: 1500',
    why: 'The requested refund is larger than what is left of the payment. The message gives what is left, in minor units; refunds in progress count.',
    cure: 'Ask for at most what is left, or leave `amount` out for all of it.',
  },
  {
    id: 'refund-outside',
    status: 409,
    message: 'This payment can be refunded only at the acquirer: Payme',
    why: 'The acquirer that took the payment does not accept refunds from us.',
    cure: 'Make the refund in your account at the acquirer. It then appears among the invoice’s refunds.',
  },
  {
    id: 'refund-whole',
    status: 409,
    message: 'This payment can be refunded only as a whole: Click',
    why: 'The acquirer that took the payment does not make partial refunds.',
    cure: 'Leave `amount` out, or send the rest to the buyer in another way.',
  },
  {
    id: 'expire-final',
    status: 409,
    message: 'Invoice cannot be expired: it is already CANCELED',
    why: 'Sandbox only: the invoice that a test wanted to expire is PAID or CANCELED, and the message says which.',
    cure: 'Expire an invoice that is PENDING: create a new one for each test. (Expiring an EXPIRED invoice again is no error: it answers 200.)',
  },
  {
    id: 'expire-payment-in-progress',
    status: 409,
    message: 'Invoice cannot be expired: a payment is being completed',
    why: 'Sandbox only: a test payment of the invoice is being captured right now.',
    cure: 'Wait a few seconds for the outcome of the payment, or expire an invoice that nobody is paying.',
  },
  {
    id: 'pay-final',
    status: 409,
    message: 'Invoice cannot be paid: it is already EXPIRED',
    why: 'Sandbox only: the invoice that a test wanted to pay already has its final status.',
    cure: 'Pay an invoice that is PENDING: create a new one for each test.',
  },
  {
    id: 'pay-too-many-attempts',
    status: 409,
    message: 'Invoice cannot be paid: too many attempts were made',
    why: 'Sandbox only: there were ten attempts to pay this one invoice within ten minutes, or thirty in its life, more than any buyer makes.',
    cure: 'Create a new invoice. After ten you can also wait ten minutes.',
  },
  {
    id: 'pay-payment-in-progress',
    status: 409,
    message: 'Invoice cannot be paid: a payment is being completed',
    why: 'Sandbox only: another payment of the same invoice is in progress, in a browser or in another test.',
    cure: 'Wait for its outcome. Two payments at once never both succeed.',
  },
  {
    id: 'no-callback-yet',
    status: 404,
    message: 'Invoice has no callback yet',
    why: 'There is no callback to resend: the invoice is still PENDING, and creating an invoice sends none.',
    cure: 'Take the invoice to a final status first: pay, expire or cancel it.',
  },
  {
    id: 'callback-in-flight',
    status: 409,
    message: 'The callback is being sent at this moment',
    why: 'An attempt is in progress, and a second one would race with it.',
    cure: 'Wait up to ten seconds for its outcome, then send it again.',
  },
  {
    id: 'listener-replaced',
    status: 409,
    message: 'Another listener has taken over',
    why: 'Sandbox only: somebody else has started `gateway listen` for the same merchant. There is one at a time, and the newest gets the callbacks.',
    cure: 'Agree on who listens, or ask for a merchant of your own, and start it again.',
  },
  {
    id: 'answer-too-late',
    status: 404,
    message: 'No callback waits for this answer',
    why: 'Sandbox only: a listener answered a callback after the ten seconds of its attempt, or twice.',
    cure: 'Nothing is lost: the attempt has timed out, and the next one follows on schedule. Make your handler answer sooner.',
  },
  {
    id: 'too-large',
    status: 413,
    message: 'Request body is larger than 256 KiB',
    why: 'The body is larger than any invoice needs.',
    cure: 'Shorten titles and `merchant_data`; keep large data on your side and send its id.',
  },
  {
    id: 'too-many-requests',
    status: 429,
    message: 'Too many requests',
    why: 'The token has used up its requests for now, or too many requests with a wrong token came from your address.',
    cure: 'Wait as many seconds as `Retry-After` says. To learn about payments, use the callback; poll a status every few seconds at most, never in a tight loop.',
  },
  {
    id: 'internal',
    status: 500,
    message: 'Internal server error',
    why: 'An error on our side. It is in our logs under the `X-Request-Id` of the answer.',
    cure: 'Retry with exponential back-off; repeat a create with the same `Idempotency-Key`. If it persists, send that id to support.',
  },
  {
    id: 'busy',
    status: 503,
    message: 'Service is busy',
    why: 'Too many requests are waiting for the database, or too many of them are yours, or this one has waited ten seconds in vain, or one of our clocks is temporarily wrong, so that the request cannot be judged. It was turned away, and nothing was done.',
    cure: 'Retry after the second or so that `Retry-After` gives, and less often the longer it lasts.',
  },
];
