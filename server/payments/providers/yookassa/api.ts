import { setTimeout as wait } from 'node:timers/promises';
import { type Currency, fromDecimalString, toDecimalString } from '../../../lib/money.ts';
import type { OpenAccount } from '../../../merchants/acquirer-accounts.ts';
import { type AcquirerCall, type AcquirerReply, callAcquirer } from '../acquirer-client.ts';

/** How long YooKassa answers a repeat of a call by the first answer; an hour is left for our doubt. */
export const KEY_LIFE_MS = 23 * 3_600_000;

/** A sum as YooKassa writes it: `{ value: '1000.00', currency: 'RUB' }`. */
export type YooKassaAmount = { value: string; currency: string };

type Cancellation = { party?: string; reason?: string };

/** A payment at YooKassa, with the fields that we read. */
export type YooKassaPayment = {
  id: string;
  status: string;
  amount: YooKassaAmount;
  /** What the merchant gets after the fee; once it is succeeded. */
  income_amount?: YooKassaAmount;
  refunded_amount?: YooKassaAmount;
  created_at: string;
  test: boolean;
  confirmation?: { confirmation_url?: string };
  payment_method?: { card?: { last4?: string; card_type?: string } };
  cancellation_details?: Cancellation;
  metadata?: Record<string, string>;
};

/** A refund at YooKassa, with the fields that we read. */
export type YooKassaRefund = {
  id: string;
  payment_id: string;
  status: string;
  amount: YooKassaAmount;
  created_at: string;
  description?: string;
  cancellation_details?: Cancellation;
  metadata?: Record<string, string>;
};

/** A shop at YooKassa, as its key opens it. */
export type YooKassaShop = {
  account_id?: string;
  status?: string;
  test?: boolean;
  /** Whether the shop sends its receipts (54-FZ) through YooKassa. */
  fiscalization?: { enabled?: boolean };
};

/** A refusal by YooKassa, with its own code, or of what it made for the other environment. */
export class YooKassaRefusal extends Error {
  readonly code: string;
  readonly status: number;
  readonly description: string;
  /** Whether the key had another body before: what that call led to remains open. */
  readonly isOfKey: boolean;

  constructor(status: number, { code = '', description = '', parameter }: Fault) {
    super(`yookassa: ${code}: ${description}${parameter ? ` (${parameter})` : ''}`);
    this.code = code;
    this.status = status;
    this.description = description;
    this.isOfKey = parameter === 'Idempotence-Key';
  }

  /** Whether a repeat would be refused as well: neither for its key, nor its access, nor its time. */
  get isFinal(): boolean {
    return (this.status === 400 || this.status === 404) && !this.isOfKey;
  }
}

type Fault = { code?: string; description?: string; parameter?: string };
type Call = Pick<AcquirerCall, 'operation' | 'method' | 'url' | 'body'> & { key?: string };
type Page = { items: readonly unknown[]; next_cursor?: string };

// A call that YooKassa still works on is repeated until then; a buyer waits for some of them.
const PROCESSING_MS = 8_000;
const PAUSE_MS = 1_000;

/** Minor units as YooKassa writes them: exact, by a point and two digits. */
export function toAmount(amountMinor: bigint, currency: Currency): YooKassaAmount {
  return { value: toDecimalString(amountMinor, currency), currency };
}

/** Reads a sum: `100`, `100.0` and `100.00` are equal. @throws for anything else */
export function fromAmount({ value, currency }: YooKassaAmount): {
  amountMinor: bigint;
  currency: Currency;
} {
  const amountMinor = fromDecimalString(value, 'RUB');
  if (amountMinor === null) throw new Error(`yookassa names a sum of ${value} ${currency}`);
  // A foreign currency only serves to be told apart from the invoice's.
  return { amountMinor, currency: currency as Currency };
}

/** YooKassa's API for one account (yookassa.ru/developers/api). */
export class YooKassaApi {
  private readonly account: OpenAccount;
  private readonly apiUrl: string;

  constructor(account: OpenAccount, apiUrl: string) {
    this.account = account;
    this.apiUrl = apiUrl;
  }

  async readShop(): Promise<YooKassaShop> {
    return (await this.ask({ operation: 'me', method: 'GET', url: '/me' })) as YooKassaShop;
  }

  createPayment(body: object, key: string): Promise<YooKassaPayment> {
    return this.payment({ operation: 'create', method: 'POST', url: '/payments', body, key });
  }

  readPayment(id: string): Promise<YooKassaPayment> {
    return this.payment({ operation: 'payment', method: 'GET', url: `/payments/${pathOf(id)}` });
  }

  capturePayment(id: string, amount: YooKassaAmount): Promise<YooKassaPayment> {
    const url = `/payments/${pathOf(id)}/capture`;
    const key = `capture_${id}`;
    return this.payment({ operation: 'capture', method: 'POST', url, body: { amount }, key });
  }

  cancelPayment(id: string): Promise<YooKassaPayment> {
    const url = `/payments/${pathOf(id)}/cancel`;
    return this.payment({
      operation: 'cancel',
      method: 'POST',
      url,
      body: {},
      key: `cancel_${id}`,
    });
  }

  createRefund(body: object, key: string): Promise<YooKassaRefund> {
    return this.refund({ operation: 'refund', method: 'POST', url: '/refunds', body, key });
  }

  readRefund(id: string): Promise<YooKassaRefund> {
    const url = `/refunds/${pathOf(id)}`;
    return this.refund({ operation: 'refund_status', method: 'GET', url });
  }

  listPayments(query: Record<string, string>): AsyncGenerator<YooKassaPayment> {
    return this.list('payments', query) as AsyncGenerator<YooKassaPayment>;
  }

  listRefunds(query: Record<string, string>): AsyncGenerator<YooKassaRefund> {
    return this.list('refunds', query) as AsyncGenerator<YooKassaRefund>;
  }

  private async *list(what: 'payments' | 'refunds', query: Record<string, string>) {
    let cursor: string | undefined;
    do {
      const asked = new URLSearchParams({ ...query, limit: '100', ...(cursor && { cursor }) });
      const call = { operation: what, method: 'GET', url: `/${what}?${asked}` } as const;
      const page = (await this.ask(call)) as Page;
      for (const each of page.items) yield this.ofThisEnvironment(each);
      cursor = page.next_cursor;
    } while (cursor !== undefined);
  }

  private async payment(call: Call): Promise<YooKassaPayment> {
    return this.ofThisEnvironment(await this.ask(call)) as YooKassaPayment;
  }

  private async refund(call: Call): Promise<YooKassaRefund> {
    return (await this.ask(call)) as YooKassaRefund;
  }

  /** Test money must never pay in production, nor real money in the sandbox. */
  private ofThisEnvironment(each: unknown): unknown {
    const { id, test } = each as { id?: string; test?: boolean };
    const isSandbox = this.account.environment === 'sandbox';
    if (test === undefined || test === isSandbox) return each;
    const description = `${id} is ${test ? 'a test' : 'no test'}`;
    throw new YooKassaRefusal(400, { code: 'wrong_environment', description });
  }

  /**
   * The object of an answer. A call that YooKassa still works on is asked again for a while.
   *
   * @throws YooKassaRefusal for a refusal by YooKassa; any other error leaves the result open
   */
  private async ask(call: Call): Promise<object> {
    const sinceMs = performance.now();
    for (;;) {
      const { status, json } = await this.send(call);
      const body = (typeof json === 'object' && json !== null ? json : {}) as Fault & {
        type?: string;
        retry_after?: number;
      };
      if (status === 200 && json === body) return body;
      if (status >= 400 && status < 500 && body.type === 'error') {
        throw new YooKassaRefusal(status, body);
      }
      const pauseMs = Math.min(body.retry_after ?? PAUSE_MS, PAUSE_MS);
      const isOver = performance.now() - sinceMs + pauseMs > PROCESSING_MS;
      if (status !== 202 || isOver) {
        throw new Error(`yookassa answered ${call.operation} by ${status}`);
      }
      await wait(pauseMs);
    }
  }

  private send({ key, ...call }: Call): Promise<AcquirerReply> {
    const { shop_id, secret_key } = this.account.credentials;
    const login = Buffer.from(`${shop_id}:${secret_key}`).toString('base64');
    return callAcquirer({
      ...call,
      account: this.account,
      url: this.apiUrl + call.url,
      headers: {
        authorization: `Basic ${login}`,
        ...(key === undefined ? {} : { 'idempotence-key': key }),
      },
    });
  }
}

const pathOf = (id: string) => encodeURIComponent(id);
