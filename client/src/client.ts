import type {
  CallbackVerdict,
  ForwardAnswerRequest,
  InvoiceCreated,
  InvoiceCreateRequest,
  InvoiceStatus,
  ListenAnswer,
  ListenRequest,
  TestPayment,
  TestPayRequest,
} from './contract.ts';
import { ConflictError, DuplicateTransactionError } from './errors.ts';
import { type ClientOptions, given, Transport } from './transport.ts';

/** The codes of an invoice's status. */
export const STATUS = { PENDING: 1, PAID: 2, EXPIRED: 3, CANCELED: 4 } as const;

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

/** Names an invoice by its id, or by the merchant's own if the create's answer was lost. */
export type InvoiceReference = { invoiceId: string } | { merchantTransactionId: string };

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
    // Nothing else warns users of JavaScript: `cancelInvoice` does take a bare id, and all requests
    // and answers say `invoice_id`.
    const isObject = typeof invoice === 'object' && invoice !== null;
    if (!isObject || !('invoiceId' in invoice || 'merchantTransactionId' in invoice)) {
      throw new TypeError('readStatus takes { invoiceId } or { merchantTransactionId }');
    }
    const query: { [name: string]: string } =
      'invoiceId' in invoice
        ? { invoice_id: given('invoiceId', invoice.invoiceId) }
        : {
            merchant_transaction_id: given('merchantTransactionId', invoice.merchantTransactionId),
          };
    return await this.#transport.call({
      method: 'GET',
      path: '/invoice/status',
      query,
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
