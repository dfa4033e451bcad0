import type {
  CallbackVerdict,
  ForwardAnswerRequest,
  InvoiceCreated,
  InvoiceCreateRequest,
  InvoiceDetails,
  InvoiceList,
  InvoiceRecord,
  InvoiceStatus,
  ListenAnswer,
  ListenRequest,
  Refund,
  RefundList,
  RefundRequest,
  ResendAnswer,
  TestPayment,
  TestPayRequest,
} from './contract.ts';
import { ConflictError, DuplicateTransactionError } from './errors.ts';
import { type EventOptions, EventStream } from './event-stream.ts';
import { type ClientOptions, given, Transport } from './transport.ts';

/** The codes of an invoice's status. */
export const STATUS = { PENDING: 1, PAID: 2, EXPIRED: 3, CANCELED: 4 } as const;

/** The codes of a refund's status. */
export const REFUND_STATUS = { PENDING: 1, SUCCEEDED: 2, FAILED: 3 } as const;

export type CallOptions = {
  /** Ends the call, including its pauses and retries. */
  signal?: AbortSignal | undefined;
};

export type CreateOptions = CallOptions & {
  /**
   * Store it with the order if a create has to be repeated after your own program has died: for 24
   * hours the same key and the same request return the first answer again. By default each call
   * makes a new one, which makes the retries within the call safe.
   */
  idempotencyKey?: string | undefined;
};

export type RefundOptions = CallOptions & {
  /**
   * Store it with the refund if it has to be repeated after your own program has died, as that of a
   * create. By default each call makes a new one.
   */
  idempotencyKey?: string | undefined;
};

/** Names an invoice by its id, or by the merchant's own if the create's answer was lost. */
export type InvoiceReference = { invoiceId: string } | { merchantTransactionId: string };

/** Which invoices to list; times are UTC in milliseconds, from inclusive, to exclusive. */
export type InvoiceFilter = {
  status?: InvoiceStatus['status'] | undefined;
  currency?: InvoiceRecord['currency'] | undefined;
  createdFrom?: number | undefined;
  createdTo?: number | undefined;
  /** With one of these two only PAID invoices are listed, the one paid last first. */
  paidFrom?: number | undefined;
  paidTo?: number | undefined;
};

export type ListOptions = CallOptions & {
  /** How many invoices one request fetches, 1 to 200; the gateway's 50 by default. */
  pageSize?: number | undefined;
};

/** @throws TypeError that names the method when there is no id */
function queryOf(method: string, invoice: InvoiceReference): { [name: string]: string } {
  // Nothing else warns users of JavaScript: `cancelInvoice` does take a bare id, and all requests
  // and answers say `invoice_id`.
  const isObject = typeof invoice === 'object' && invoice !== null;
  if (!isObject || !('invoiceId' in invoice || 'merchantTransactionId' in invoice)) {
    throw new TypeError(`${method} takes { invoiceId } or { merchantTransactionId }`);
  }
  if ('invoiceId' in invoice) return { invoice_id: given('invoiceId', invoice.invoiceId) };
  const merchantTransactionId = given('merchantTransactionId', invoice.merchantTransactionId);
  return { merchant_transaction_id: merchantTransactionId };
}

/** A merchant's connection to the gateway, in one environment. */
export class GatewayClient {
  readonly #transport: Transport;
  /** Drives an invoice as a buyer or the clock would; not in production. */
  readonly sandbox: SandboxDriver;

  /** @throws TypeError that names the invalid option */
  constructor(options: ClientOptions) {
    this.#transport = new Transport(options);
    this.sandbox = new SandboxDriver(this.#transport);
  }

  /**
   * Creates an invoice; send the buyer's browser to its `invoice_url`.
   *
   * @throws DuplicateTransactionError with the invoice that already has this
   *   `merchant_transaction_id`: a conflict always has an id. GatewayError otherwise.
   */
  async createInvoice(
    invoice: InvoiceCreateRequest,
    { idempotencyKey, signal }: CreateOptions = {},
  ): Promise<InvoiceCreated> {
    // Read now: a program that reuses one object may change it before the answer.
    const merchantTransactionId = invoice?.merchant_transaction_id;
    try {
      return await this.#transport.call<InvoiceCreated>({
        method: 'POST',
        path: '/invoice/create',
        body: invoice,
        // Null comes from databases, and would be sent as "null".
        headers: { 'idempotency-key': idempotencyKey ?? crypto.randomUUID() },
        isRepeatable: true,
        signal,
      });
    } catch (error) {
      if (!(error instanceof ConflictError)) throw error;
      const existing = await this.readStatus({ merchantTransactionId }, { signal });
      throw new DuplicateTransactionError(existing, { cause: error });
    }
  }

  /** Reads the status. @throws InvoiceNotFoundError, GatewayError; TypeError without an id */
  async readStatus(
    invoice: InvoiceReference,
    { signal }: CallOptions = {},
  ): Promise<InvoiceStatus> {
    return await this.#transport.call({
      method: 'GET',
      path: '/invoice/status',
      query: queryOf('readStatus', invoice),
      isRepeatable: true,
      signal,
    });
  }

  /**
   * Cancels a PENDING invoice; one that is CANCELED already stays so without an error.
   *
   * @throws ConflictError when it is PAID or EXPIRED or its payment is being captured,
   *   InvoiceNotFoundError, GatewayError
   */
  cancelInvoice(invoiceId: string, { signal }: CallOptions = {}): Promise<InvoiceStatus> {
    return this.#transport.call({
      method: 'POST',
      path: '/invoice/cancel',
      body: { invoice_id: invoiceId },
      isRepeatable: true,
      signal,
    });
  }

  /**
   * Gives back a payment or a part of it; the token needs the scope `refunds.write`. The refund may
   * be PENDING, and it may be FAILED, which is no error either: its `failure_reason` says why.
   *
   * @throws ConflictError whose `reason` says why it is refused; `refund_exists` means that the
   *   `refund_transaction_id` was used. InvoiceNotFoundError, GatewayError
   */
  refund(refund: RefundRequest, { idempotencyKey, signal }: RefundOptions = {}): Promise<Refund> {
    return this.#transport.call({
      method: 'POST',
      path: '/invoice/refund',
      body: refund,
      headers: { 'idempotency-key': idempotencyKey ?? crypto.randomUUID() },
      isRepeatable: true,
      signal,
    });
  }

  /** Reads an invoice's refunds and their sums. @throws InvoiceNotFoundError, GatewayError */
  async refunds(invoiceId: string, { signal }: CallOptions = {}): Promise<RefundList> {
    return await this.#transport.call({
      method: 'GET',
      path: '/invoice/refunds',
      query: { invoice_id: given('invoiceId', invoiceId) },
      isRepeatable: true,
      signal,
    });
  }

  /**
   * Reads all that there is of an invoice, and the state of its callback.
   *
   * @throws InvoiceNotFoundError, GatewayError; TypeError without an id
   */
  async details(invoice: InvoiceReference, { signal }: CallOptions = {}): Promise<InvoiceDetails> {
    return await this.#transport.call({
      method: 'GET',
      path: '/invoice/details',
      query: queryOf('details', invoice),
      isRepeatable: true,
      signal,
    });
  }

  /**
   * Lists invoices, the newest first, and fetches page after page as they are asked for. Each invoice
   * that was there at the first request comes once, whatever is created meanwhile.
   *
   * @throws GatewayError, while it is iterated over
   */
  async *list(
    filter: InvoiceFilter = {},
    { pageSize, signal }: ListOptions = {},
  ): AsyncGenerator<InvoiceRecord, void, undefined> {
    // Read once: the cursors belong to these filters.
    const query = {
      status: filter.status,
      currency: filter.currency,
      created_from: filter.createdFrom,
      created_to: filter.createdTo,
      paid_from: filter.paidFrom,
      paid_to: filter.paidTo,
      limit: pageSize,
    };
    let cursor: string | null = null;
    do {
      const page: InvoiceList = await this.#transport.call<InvoiceList>({
        method: 'GET',
        path: '/invoice/list',
        query: { ...query, cursor },
        isRepeatable: true,
        signal,
      });
      yield* page.invoices;
      cursor = page.next_cursor;
    } while (cursor !== null);
  }

  /**
   * Reads what happened, the oldest first, from the cursor that an earlier run saved or from the
   * beginning. It ends when there is nothing new, or with `pollMs` goes on asking.
   *
   * @throws TypeError that names the invalid option; GatewayError, while it is iterated over
   */
  events(options: EventOptions = {}): EventStream {
    return new EventStream(this.#transport, options);
  }

  /**
   * Resends an invoice's callback, whatever became of it; the token needs the scope
   * `callbacks.write`.
   *
   * @throws InvoiceNotFoundError also when there is no callback yet; ConflictError with the reason
   *   `callback_in_flight` while it is being sent; GatewayError
   */
  async resend(invoiceId: string, { signal }: CallOptions = {}): Promise<void> {
    await this.#transport.call<ResendAnswer>({
      method: 'POST',
      path: '/callback/resend',
      body: { invoice_id: invoiceId },
      // A repeat would conflict with its own first attempt, or send the callback twice.
      isRepeatable: false,
      signal,
    });
  }
}

/** A test card's outcome. */
export type TestOutcome = NonNullable<TestPayRequest['outcome']>;

/**
 * Drives invoices of the sandbox from a test. With a production client every call throws a
 * TypeError and sends nothing.
 */
export class SandboxDriver {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Pays as a test card would. A decline is not an error: the invoice stays PENDING and
   * `decline_reason` says why. PENDING with a `decline_reason` of null (`slow_approved`) means that
   * the acquirer has not answered after five seconds; the callback will bring the result.
   *
   * @throws ConflictError when the invoice has its final status, GatewayError
   */
  pay(
    invoiceId: string,
    { outcome, signal }: CallOptions & { outcome?: TestOutcome | undefined } = {},
  ): Promise<TestPayment> {
    const body: TestPayRequest = { invoice_id: invoiceId, outcome };
    return this.#post('/test/invoice/pay', body, signal);
  }

  /** Expires an invoice before its time. @throws ConflictError, GatewayError */
  expire(invoiceId: string, { signal }: CallOptions = {}): Promise<InvoiceStatus> {
    return this.#post('/test/invoice/expire', { invoice_id: invoiceId }, signal);
  }

  /** Resends an invoice's callback. @throws ConflictError, GatewayError */
  async resendCallback(invoiceId: string, { signal }: CallOptions = {}): Promise<void> {
    await this.#post('/test/callback/resend', { invoice_id: invoiceId }, signal);
  }

  /** Announces a listener, and waits some seconds for callbacks to forward. */
  listen(request: ListenRequest, { signal }: CallOptions = {}): Promise<ListenAnswer> {
    return this.#post('/test/callback/listen', request, signal);
  }

  /** Reports the answer to a forwarded callback. */
  answerCallback(
    request: ForwardAnswerRequest,
    { signal }: CallOptions = {},
  ): Promise<CallbackVerdict> {
    return this.#post('/test/callback/answer', request, signal);
  }

  async #post<T>(path: string, body: object, signal: AbortSignal | undefined): Promise<T> {
    // Production would answer 404, which looks like a wrong address.
    if (this.#transport.isProduction) {
      throw new TypeError('sandbox works in the sandbox only, and baseUrl is that of production');
    }
    // A repeat would conflict with its own first attempt.
    return await this.#transport.call({ method: 'POST', path, body, isRepeatable: false, signal });
  }
}
