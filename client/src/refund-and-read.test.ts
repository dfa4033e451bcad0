import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type SmallGateway, startSmallGateway } from '../../e2e/small-gateway.ts';
import { createToken } from '../../server/merchants/tokens.ts';
import { until } from '../../server/testing/callbacks.ts';
import { createBody, createRestMerchant } from '../../server/testing/rest.ts';
import { GatewayClient, REFUND_STATUS, STATUS } from './client.ts';
import type { Event, InvoiceCreateRequest } from './contract.ts';
import {
  ConflictError,
  ForbiddenError,
  InvalidRequestError,
  InvoiceNotFoundError,
} from './errors.ts';
import type { ClientOptions } from './transport.ts';

const BUSY = { status: 503, body: '', headers: { 'retry-after': '0' } };

let gateway: SmallGateway;
let client: GatewayClient;

beforeAll(async () => {
  gateway = await startSmallGateway();
});
afterAll(() => gateway.close());

const clientWith = (options: Partial<ClientOptions>) =>
  new GatewayClient({
    baseUrl: gateway.baseUrl,
    merchantId: gateway.merchant.id,
    token: gateway.token,
    backOffMs: () => 1,
    ...options,
  });

// Each test has a merchant of its own, whose lists begin empty.
beforeEach(async () => {
  const merchant = await createRestMerchant(gateway.database.pool);
  const token = merchant.sandbox.authorization.slice('Bearer '.length);
  client = clientWith({ merchantId: merchant.id, token });
  gateway.requests.length = 0;
  gateway.trouble.length = 0;
});

const order = (fields: Partial<InvoiceCreateRequest> = {}) =>
  createBody(fields) as InvoiceCreateRequest;

async function created(): Promise<string> {
  return (await client.createInvoice(order())).invoice_id;
}

async function paid(): Promise<string> {
  const id = await created();
  await client.sandbox.pay(id);
  return id;
}

let count = 0;
function refundOf(invoice_id: string, fields: { amount?: number; reason?: string } = {}) {
  count += 1;
  return { invoice_id, refund_transaction_id: `refund-${count}`, ...fields };
}

/** The error that a call throws; a call that does not throw fails the test. */
async function thrown<T>(work: Promise<unknown>, kind: new (...args: never[]) => T): Promise<T> {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(kind);
  return error as T;
}

const refusal = async (work: Promise<unknown>) => (await thrown(work, ConflictError)).reason;

const paths = () => gateway.requests.map(({ url }) => url.slice('/api/sandbox'.length));

describe('a refund', () => {
  test('gives back a part, then the rest, and is listed with the sums', async () => {
    const id = await paid();
    const part = await client.refund(refundOf(id, { amount: 500, reason: 'one ticket' }));
    expect(part).toMatchObject({
      amount: 500,
      status: REFUND_STATUS.SUCCEEDED,
      reason: 'one ticket',
    });
    expect(await client.refunds(id)).toEqual({
      refunds: [part],
      refunded_amount: 500,
      refundable_amount: 1000,
    });
    expect(await client.refund(refundOf(id))).toMatchObject({ amount: 1000 });
    expect(await client.refunds(id)).toMatchObject({ refundable_amount: 0 });
  });

  test('whose answer is lost is repeated under its key, and made once', async () => {
    const id = await paid();
    gateway.requests.length = 0;
    gateway.trouble.push('answer lost');
    const refund = await client.refund(refundOf(id, { amount: 500 }));
    const keys = gateway.requests.map(({ headers }) => headers['idempotency-key']);
    expect(keys).toEqual([expect.stringMatching(/./), keys[0]]);
    expect((await client.refunds(id)).refunds).toEqual([refund]);
  });

  test('by a program that died is repeated by the next one with the key that was kept', async () => {
    const wanted = refundOf(await paid());
    const first = await client.refund(wanted, { idempotencyKey: 'refund 7' });
    expect(await client.refund(wanted, { idempotencyKey: 'refund 7' })).toEqual(first);
    expect(await refusal(client.refund(wanted))).toBe('refund_exists');
  });

  test('that fails is told by its status, and frees its amount', async () => {
    const id = await paid();
    const failed = await client.refund(refundOf(id, { reason: 'test:fail' }));
    expect(failed).toMatchObject({ status: REFUND_STATUS.FAILED });
    expect(failed.failure_reason).toBeTruthy();
    expect(await client.refunds(id)).toMatchObject({ refundable_amount: 1500 });
  });

  test('that cannot be is refused with its reason', async () => {
    expect(await refusal(client.refund(refundOf(await created())))).toBe('not_paid');
    const id = await paid();
    expect(await refusal(client.refund(refundOf(id, { amount: 1501 })))).toBe('exceeds_refundable');
    await thrown(client.refunds('inv_none'), InvoiceNotFoundError);
    const words = (message: string) => ({
      status: 409,
      body: JSON.stringify({ result: false, data: null, error: { message, error_code: 409 } }),
    });
    gateway.trouble.push(words('This payment can be refunded only at the acquirer: Payme'));
    expect(await refusal(client.refund(refundOf(id)))).toBe('only_at_acquirer');
    gateway.trouble.push(words('This payment can be refunded only as a whole: Click'));
    expect(await refusal(client.refund(refundOf(id)))).toBe('only_as_whole');
  });

  test('by a token without the scope is a ForbiddenError, sent once', async () => {
    const { token } = await createToken(gateway.database.pool, {
      merchantId: gateway.merchant.id,
      environment: 'sandbox',
      name: 'reader',
      scopes: ['invoices.read'],
      now: new Date(),
    });
    const error = await thrown(clientWith({ token }).refund(refundOf('inv_1')), ForbiddenError);
    expect(error).toMatchObject({ code: 'forbidden', httpStatus: 403, message: 'Forbidden' });
    expect(gateway.requests).toHaveLength(1);
  });
});

describe('the details of an invoice', () => {
  test('are all that was given, found by either id', async () => {
    const body = order({ merchant_data: { cart: 'é' } });
    const { invoice_id: invoiceId } = await client.createInvoice(body);
    const details = await client.details({ invoiceId });
    expect(details).toMatchObject({ ...body, status: STATUS.PENDING, callback: null });
    const merchantTransactionId = body.merchant_transaction_id;
    expect(await client.details({ merchantTransactionId })).toEqual(details);
    const bare = invoiceId as unknown as { invoiceId: string };
    expect((await thrown(client.details(bare), TypeError)).message).toContain('details takes {');
  });
});

describe('a callback', () => {
  test('is sent again; before there is one it is not found', async () => {
    const id = await created();
    await thrown(client.resend(id), InvoiceNotFoundError);
    await client.sandbox.pay(id);
    await gateway.deliver();
    await client.resend(id);
    expect((await client.details({ invoiceId: id })).callback).toMatchObject({ state: 'pending' });
  });

  test('of which nobody knows whether it was sent again is not asked for twice', async () => {
    const id = await paid();
    gateway.requests.length = 0;
    gateway.trouble.push('answer lost');
    await expect(client.resend(id)).rejects.toMatchObject({ code: 'unreachable' });
    expect(paths()).toEqual(['/callback/resend']);
  });
});

describe('the list of invoices', () => {
  test('comes page by page, the newest first, each once, whatever is created meanwhile', async () => {
    const ids = [await created(), await created(), await created()];
    const seen: string[] = [];
    for await (const { invoice_id } of client.list({}, { pageSize: 2 })) {
      seen.push(invoice_id);
      await created();
    }
    expect(seen).toEqual(ids.toReversed());
  });

  test('is asked for no page that nobody looks at', async () => {
    for (let made = 0; made < 3; made++) await created();
    gateway.requests.length = 0;
    for await (const _ of client.list({}, { pageSize: 1 })) break;
    expect(paths()).toEqual(['/invoice/list?limit=1']);
  });

  test('has what the filters pass, and the filters go with each cursor', async () => {
    const ids = [await paid(), await paid()];
    await created();
    gateway.requests.length = 0;
    const status = STATUS.PAID;
    const passed = await collect(client.list({ status, currency: 'USD' }, { pageSize: 1 }));
    expect(passed.map(({ invoice_id }) => invoice_id)).toEqual(ids.toReversed());
    for (const path of paths()) expect(path).toContain('?status=2&currency=USD&limit=1');
    const { created_at: createdAt } = await client.details({ invoiceId: ids[0] ?? '' });
    expect(await collect(client.list({ createdTo: createdAt }))).toEqual([]);
    expect(await collect(client.list({ createdFrom: createdAt }))).toHaveLength(3);
    expect(await collect(client.list({ paidFrom: createdAt }))).toHaveLength(2);
    expect(await collect(client.list({ paidTo: createdAt }))).toEqual([]);
    await thrown(collect(client.list({}, { pageSize: 0 })), InvalidRequestError);
  });
});

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** All events, once the last writes of other tests let the gateway show as many. */
async function eventsOnce(count: number): Promise<Event[]> {
  let all: Event[] = [];
  await until(async () => {
    all = await collect(client.events());
    return all.length >= count;
  });
  return all;
}

const typesOf = (events: Event[]) => events.map(({ type }) => type);

describe('the events', () => {
  test('come in order to the end of what is new, and the next run begins where this one ended', async () => {
    const id = await paid();
    await eventsOnce(2);
    const events = client.events({ pageSize: 1 });
    expect(events.cursor).toBeNull();
    expect(typesOf(await collect(events))).toEqual(['invoice.created', 'invoice.paid']);
    const refund = await client.refund(refundOf(id));
    await eventsOnce(4);
    const after = events.cursor;
    const next = await collect(client.events({ after }));
    expect(next).toMatchObject([
      { type: 'refund.created', refund_id: refund.refund_id },
      { type: 'refund.succeeded', invoice_id: id },
    ]);
    // The stream itself goes on as well.
    expect(await collect(events)).toEqual(next);
    expect(await collect(client.events({ after: events.cursor }))).toEqual([]);
  });

  test('saved with their cursor are lost in no death, wherever a run ends', async () => {
    for (let made = 0; made < 4; made++) await created();
    const all = await eventsOnce(4);
    for (let handled = 1; handled <= all.length; handled++) {
      const events = client.events({ pageSize: 2 });
      let left = handled;
      for await (const _ of events) if (--left === 0) break;
      const rest = await collect(client.events({ after: events.cursor }));
      // A run that ended within a page is given that page again.
      expect(rest).toEqual(all.slice(handled - (handled % 2)));
    }
  });

  test('of a page that could not be fetched come by asking again', async () => {
    await paid();
    await eventsOnce(2);
    gateway.trouble.push(BUSY, 'answer lost');
    expect(typesOf(await collect(client.events()))).toEqual(['invoice.created', 'invoice.paid']);
  });

  test('go on with what happens later when asked to, until the caller ends them', async () => {
    await created();
    const controller = new AbortController();
    const seen: string[] = [];
    const reading = (async () => {
      for await (const { type } of client.events({ pollMs: 5, signal: controller.signal })) {
        seen.push(type);
        if (seen.length === 1) setTimeout(created, 20);
        if (seen.length === 2) controller.abort(new Error('switched off'));
      }
    })();
    await expect(reading).rejects.toThrow('switched off');
    expect(seen).toEqual(['invoice.created', 'invoice.created']);
    expect(() => client.events({ pollMs: Number.NaN })).toThrow('pollMs must be a finite');
  });
});
