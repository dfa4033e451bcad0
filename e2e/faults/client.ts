import { setTimeout as sleep } from 'node:timers/promises';
import type { Currency } from '#server/lib/money.ts';
import { createMerchant } from '#server/merchants/mutations.ts';
import type { Environment } from '#server/merchants/types.ts';
import type { FaultyGateway } from './gateway.ts';

export type Merchant = { id: string; tokens: Record<Environment, string> };

export type Answer = { status: number; text: string; body: { data?: Record<string, unknown> } };

const TRY_FOR_MS = 120_000;
const PAUSE_MS = 50;
const HOUR_MS = 3_600_000;
const ANSWER_WITHIN_MS = 15_000;

/** A merchant's server: it retries until an answer is not our fault. */
export class Client {
  private readonly baseUrl: string;
  private readonly headers: Record<string, string>;

  constructor(
    gateway: { readonly origin: string },
    { id, tokens }: Merchant,
    environment: Environment = 'sandbox',
  ) {
    this.baseUrl = `${gateway.origin}/api/${environment}`;
    this.headers = { authorization: `Bearer ${tokens[environment]}`, 'x-merchant': id };
  }

  /** Makes one request; null if the connection failed. */
  async once(method: string, path: string, body?: object, key?: string): Promise<Answer | null> {
    try {
      const response = await fetch(this.baseUrl + path, {
        method,
        headers: {
          ...this.headers,
          ...(body ? { 'content-type': 'application/json' } : {}),
          ...(key ? { 'idempotency-key': key } : {}),
        },
        body: body ? JSON.stringify(body) : undefined,
        signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
      });
      const text = await response.text();
      return { status: response.status, text, body: JSON.parse(text) };
    } catch {
      return null;
    }
  }

  /** Retries until the answer is below 500 and `isFinal` accepts it. */
  async until(
    send: () => Promise<Answer | null>,
    isFinal: (answer: Answer) => boolean = () => true,
  ): Promise<Answer> {
    const deadline = Date.now() + TRY_FOR_MS;
    for (;;) {
      const answer = await send();
      if (answer && answer.status < 500 && isFinal(answer)) return answer;
      if (Date.now() > deadline) throw new Error(`no answer in time, last ${answer?.text}`);
      await sleep(PAUSE_MS);
    }
  }

  /**
   * Creates an invoice with an idempotency key, with any number of retries; returns its id. If the
   * faults outlast the invoice's end date, it gets a new one: nothing was created under the key
   * before.
   */
  async create(
    transactionId: string,
    endDateMs: () => number,
    callbackUrl: string,
    key = `key-${transactionId}`,
  ): Promise<string> {
    const body = invoiceBody(transactionId, endDateMs(), callbackUrl);
    const answer = await this.until(() => this.once('POST', '/invoice/create', body, key));
    if (answer.status === 422 && answer.text.includes('end_date should be in the future')) {
      return this.create(transactionId, endDateMs, callbackUrl, `${key}-again`);
    }
    const id = answer.body.data?.invoice_id;
    if (answer.status !== 200 || typeof id !== 'string') throw new Error(answer.text);
    return id;
  }
}

/** The body of a create. */
export function invoiceBody(transactionId: string, endDateMs: number, callbackUrl: string) {
  return {
    amount: 1500,
    currency: 'USD',
    description: 'Fault suite',
    end_date: endDateMs,
    positions: [{ title: 'Ticket', amount: 1500, currency: 'USD' }],
    merchant_transaction_id: transactionId,
    success_url: 'http://localhost/success',
    error_url: 'http://localhost/error',
    callback_url: callbackUrl,
  };
}

/** Creates an invoice of one position under an idempotency key; returns its id. */
export async function createSum(
  client: Client,
  transactionId: string,
  sum: { amount: number; currency: Currency; callbackUrl: string },
): Promise<string> {
  const { amount, currency, callbackUrl } = sum;
  const body = {
    ...invoiceBody(transactionId, Date.now() + HOUR_MS, callbackUrl),
    amount,
    currency,
    positions: [{ title: 'Ticket', amount, currency }],
  };
  const create = () => client.once('POST', '/invoice/create', body, transactionId);
  const { body: answered, text } = await client.until(create);
  const id = answered.data?.invoice_id;
  if (typeof id !== 'string') throw new Error(text);
  return id;
}

/** Makes merchants by the operator's command. */
export function createMerchants(gateway: FaultyGateway, count: number): Promise<Merchant[]> {
  return gateway.withDatabase(async (pool) => {
    const merchants: Merchant[] = [];
    for (let i = 0; i < count; i++) {
      const created = await createMerchant(pool, {
        name: `Fault ${i}`,
        ownerEmail: `fault-${i}@example.com`,
        actor: { type: 'operator', id: null, label: 'fault suite' },
        now: new Date(),
      });
      const { sandbox, production } = created;
      const tokens = { sandbox: sandbox.apiToken, production: production.apiToken };
      merchants.push({ id: created.merchantId, tokens });
    }
    return merchants;
  });
}

/** Runs `work` for each item, `lanes` at a time. */
export async function inLanes<T>(
  items: readonly T[],
  lanes: number,
  work: (item: T, index: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      for (;;) {
        const index = next++;
        const item = items[index];
        if (index >= items.length || item === undefined) return;
        await work(item, index);
      }
    }),
  );
}
