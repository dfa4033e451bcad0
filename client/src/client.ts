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
  /** Ends the call, its pauses and retries included. */
  signal?: AbortSignal | undefined;
};

export type CreateOptions = CallOptions & {
  /**
   * Keep it with the order to have a create repeated after your own program has died: for 24 hours
   * the same key and the same request give the first answer again. When left out, a new one is
   * made for each call, which makes the retries within the call safe.
   */
  idempotencyKey?: string | undefined;
};

/** Names an invoice: by its id, or by the merchant's own when the answer to the create was lost. */
export type InvoiceReference = { invoiceId: string } | { merchantTransactionId: string };

/** A merchant's way to the gateway, in one environment. */
export class GatewayClient {
  readonly #transport: Transport;
  /** Drives an invoice as a buyer or the clock would; not in production. */
  readonly sandbox: SandboxDriver;

  /** @throws TypeError that names the option which cannot be used */
  constructor(options: ClientOptions) {
    this.#transport = new Transport(options);
    this.sandbox = new SandboxDriver(this.#transport);
  }

  /**
   * Creates an invoice; send the buyer's browser to its `invoice_url`.
   *
   * @throws DuplicateTransactionError with the invoice that has this `merchant_transaction_id`
   *   already: never a conflict without an id. GatewayError otherwise.
   */
  async createInvoice(
    invoice: InvoiceCreateRequest,
    { idempotencyKey, signal }: CreateOptions = {},
  ): Promise<InvoiceCreated> {
    // As it is sent: whoever fills one object again for the next order has changed it by the answer.
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

  /** The status now. @throws InvoiceNotFoundError, GatewayError; TypeError without an id */
  async readStatus(
    invoice: InvoiceReference,
    { signal }: CallOptions = {},
  ): Promise<InvoiceStatus> {
    // Whoever writes JavaScript is told by nobody else: `cancelInvoice` does take the id alone, and all
    // that is sent and answered says `invoice_id`.
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
   * Cancels an invoice that is PENDING; one that is CANCELED already stays so without an error.
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
 * Drives invoices of the sandbox from a test. With a client of production every call throws a
 * TypeError, and nothing is sent.
 */
export class SandboxDriver {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Pays as a test card would. A decline is no error: the invoice stays PENDING and
   * `decline_reason` says why. PENDING with a `decline_reason` of null (`slow_approved`): the
   * acquirer has not answered after five seconds, and the callback will tell.
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

  /** Expires before its time. @throws ConflictError, GatewayError */
  expire(invoiceId: string, { signal }: CallOptions = {}): Promise<InvoiceStatus> {
    return this.#post('/test/invoice/expire', { invoice_id: invoiceId }, signal);
  }

  /** Has the callback of an invoice sent again. @throws ConflictError, GatewayError */
  async resendCallback(invoiceId: string, { signal }: CallOptions = {}): Promise<void> {
    await this.#post('/test/callback/resend', { invoice_id: invoiceId }, signal);
  }

  /** Says that a listener is there, and waits some seconds for callbacks to forward. */
  listen(request: ListenRequest, { signal }: CallOptions = {}): Promise<ListenAnswer> {
    return this.#post('/test/callback/listen', request, signal);
  }

  /** Tells what a forwarded callback was answered with. */
  answerCallback(
    request: ForwardAnswerRequest,
    { signal }: CallOptions = {},
  ): Promise<CallbackVerdict> {
    return this.#post('/test/callback/answer', request, signal);
  }

  async #post<T>(path: string, body: object, signal: AbortSignal | undefined): Promise<T> {
    // There it would be a 404, which reads like a wrong address.
    if (this.#transport.isProduction) {
      throw new TypeError('sandbox works in the sandbox only, and baseUrl is that of production');
    }
    // Done twice it would be a conflict with itself.
    return await this.#transport.call({ method: 'POST', path, body, isRepeatable: false, signal });
  }
}
