import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type SmallGateway, startSmallGateway } from '../../e2e/small-gateway.ts';
import { createBody } from '../../server/testing/rest.ts';
import { GatewayClient, STATUS } from './client.ts';
import type { InvoiceCreateRequest } from './contract.ts';
import {
  BrokenRequestError,
  ConflictError,
  DuplicateTransactionError,
  InvalidRequestError,
  InvoiceNotFoundError,
  RateLimitedError,
  RequestTooLargeError,
  ServerError,
  UnauthorizedError,
  UnexpectedAnswerError,
  UnreachableError,
} from './errors.ts';
import type { ClientOptions } from './transport.ts';

let gateway: SmallGateway;

beforeAll(async () => {
  gateway = await startSmallGateway();
});
beforeEach(() => {
  gateway.requests.length = 0;
  gateway.trouble.length = 0;
});
afterAll(() => gateway.close());

function clientWith(options: Partial<ClientOptions> = {}): GatewayClient {
  const { baseUrl, merchant, token } = gateway;
  return new GatewayClient({
    baseUrl,
    merchantId: merchant.id,
    token,
    backOffMs: () => 1,
    ...options,
  });
}

const order = (fields: Partial<InvoiceCreateRequest> = {}) =>
  createBody(fields) as InvoiceCreateRequest;

/** The error that a call throws; a call that does not throw fails the test. */
async function thrown<T>(work: Promise<unknown>, kind: new (...args: never[]) => T): Promise<T> {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(kind);
  return error as T;
}

const SERVER_ERROR = {
  status: 500,
  body: '{"result":false,"data":null,"error":{"message":"Internal server error","error_code":500}}',
  headers: { 'x-request-id': 'req-7' },
};
/** The answer of the gateway's HTTP server to a request that it could not read. */
const unread = (status: number, message: string) => ({
  status,
  body: JSON.stringify({ result: false, data: null, error: { message, error_code: status } }),
});
const TOO_LATE = unread(408, 'Request did not arrive in time');
const BUSY = { ...SERVER_ERROR, status: 503, headers: { 'retry-after': '0' } };

describe('an invoice', () => {
  test('is created, read by either id, and cancelled; cancelling again changes nothing', async () => {
    const client = clientWith();
    const body = order({ merchant_data: { cart: 'é' } });
    const created = await client.createInvoice(body);
    expect(created).toMatchObject({
      status: STATUS.PENDING,
      amount: 1500,
      merchant_data: { cart: 'é' },
    });
    expect(created.invoice_url).toBe(`${gateway.origin}/pay/${created.invoice_id}`);
    const pending = { invoice_id: created.invoice_id, status: 1, end_date: body.end_date };
    expect(await client.readStatus({ invoiceId: created.invoice_id })).toEqual(pending);
    const merchantTransactionId = body.merchant_transaction_id;
    expect(await client.readStatus({ merchantTransactionId })).toEqual(pending);
    const canceled = { ...pending, status: STATUS.CANCELED };
    expect(await client.cancelInvoice(created.invoice_id)).toEqual(canceled);
    expect(await client.cancelInvoice(created.invoice_id)).toEqual(canceled);
  });

  test('of the sandbox is paid, declined and expired from a program', async () => {
    const client = clientWith();
    const first = await client.createInvoice(order());
    const declined = await client.sandbox.pay(first.invoice_id, { outcome: 'lost_card' });
    expect(declined).toMatchObject({ status: STATUS.PENDING, decline_reason: 'lost_card' });
    expect(await client.sandbox.pay(first.invoice_id)).toMatchObject({ status: STATUS.PAID });
    const second = await client.createInvoice(order());
    expect(await client.sandbox.expire(second.invoice_id)).toMatchObject({
      status: STATUS.EXPIRED,
    });
  });
});

describe('a create whose answer is lost', () => {
  test('is repeated with the same key and comes back whole, made once', async () => {
    gateway.trouble.push('answer lost', 'answer lost');
    const body = order();
    const created = await clientWith().createInvoice(body);
    expect(created.invoice_url).toContain(created.invoice_id);
    const keys = gateway.requests.map(({ headers }) => headers['idempotency-key']);
    expect(keys).toEqual([keys[0], keys[0], keys[0]]);
    const { rows } = await gateway.database.pool.query(
      'SELECT id FROM invoices WHERE merchant_transaction_id = $1',
      [body.merchant_transaction_id],
    );
    expect(rows).toEqual([{ id: created.invoice_id }]);
  });

  test('by a program that died is repeated by the next one with the key of the order', async () => {
    const body = order();
    const idempotencyKey = `order ${body.merchant_transaction_id}`;
    const first = await clientWith().createInvoice(body, { idempotencyKey });
    expect(await clientWith().createInvoice(body, { idempotencyKey })).toEqual(first);
  });

  test('without that key is a duplicate that says which invoice it is', async () => {
    const body = order();
    const first = await clientWith().createInvoice(body);
    const again = clientWith().createInvoice({ ...body, end_date: body.end_date + 1 });
    const error = await thrown(again, DuplicateTransactionError);
    expect(error).toMatchObject({
      code: 'duplicate_transaction',
      name: 'DuplicateTransactionError',
      httpStatus: 409,
      message: 'Invoice with this merchant_transaction_id already exists',
      invoice: { invoice_id: first.invoice_id, status: STATUS.PENDING },
    });
    expect(error.requestId).toBeTruthy();
    // As the README says, since only the first answer contains the page.
    expect(new URL(first.invoice_url).pathname).toBe(`/pay/${error.invoice.invoice_id}`);
  });
});

describe('what is tried again', () => {
  test('a 500, a 503, and what a proxy says in between', async () => {
    gateway.trouble.push(SERVER_ERROR, BUSY, { status: 502, body: '<h1>Bad Gateway</h1>' });
    // The gateway's own 500, when it could not even make its envelope.
    gateway.trouble.push({ status: 500, body: '', headers: { 'content-type': 'text/plain' } });
    const created = await clientWith().createInvoice(order());
    expect(gateway.requests).toHaveLength(5);
    gateway.trouble.push('answer lost', SERVER_ERROR);
    expect(await clientWith().cancelInvoice(created.invoice_id)).toMatchObject({ status: 4 });
  });

  test('a 408, whatever was asked: nothing was done', async () => {
    gateway.trouble.push(TOO_LATE);
    const client = clientWith();
    const { invoice_id: id } = await client.createInvoice(order());
    gateway.trouble.push(TOO_LATE);
    expect(await client.sandbox.pay(id)).toMatchObject({ status: STATUS.PAID });
    gateway.trouble.push(TOO_LATE, TOO_LATE);
    const failing = clientWith({ maxAttempts: 2 }).readStatus({ invoiceId: id });
    const error = await thrown(failing, BrokenRequestError);
    expect(error).toMatchObject({ code: 'broken_request', httpStatus: 408 });
  });

  test('with pauses that grow, no shorter than the gateway asks for', async () => {
    gateway.trouble.push(SERVER_ERROR, { ...BUSY, headers: { 'retry-after': '1' } });
    const asked: number[] = [];
    const backOffMs = (attempt: number) => {
      asked.push(attempt);
      return 1;
    };
    const startedMs = performance.now();
    await clientWith({ backOffMs }).createInvoice(order());
    expect(asked).toEqual([1, 2]);
    expect(performance.now() - startedMs).toBeGreaterThan(990);
  });

  test('not for ever: after the last attempt its error is the caller’s', async () => {
    gateway.trouble.push(SERVER_ERROR, SERVER_ERROR, SERVER_ERROR);
    const failing = clientWith({ maxAttempts: 3 }).createInvoice(order());
    const error = await thrown(failing, ServerError);
    expect(error).toMatchObject({ code: 'server_error', httpStatus: 500, requestId: 'req-7' });
    expect(gateway.requests).toHaveLength(3);
  });

  test('not a test payment of which nobody knows what became', async () => {
    const client = clientWith();
    const { invoice_id: id } = await client.createInvoice(order());
    gateway.trouble.push('answer lost');
    await thrown(client.sandbox.pay(id), UnreachableError);
    gateway.trouble.push(BUSY);
    const error = await thrown(client.sandbox.pay(id), ConflictError);
    expect(error.reason).toBe('already_paid');
  });

  test('not when a pause of more than half a minute is asked for', async () => {
    const body =
      '{"result":false,"data":null,"error":{"message":"Too many requests","error_code":429}}';
    gateway.trouble.push({ status: 429, body, headers: { 'retry-after': '60' } });
    const error = await thrown(clientWith().readStatus({ invoiceId: 'x' }), RateLimitedError);
    expect(error).toMatchObject({ code: 'rate_limited', retryAfterMs: 60_000 });
    expect(gateway.requests).toHaveLength(1);
  });
});

describe('every fault has its name', () => {
  test('401 for a wrong token, and the token is in no message', async () => {
    const wrong = clientWith({ token: 'secret-of-mine' });
    const error = await thrown(wrong.createInvoice(order()), UnauthorizedError);
    expect(error).toMatchObject({ code: 'unauthorized', message: 'Unauthorized' });
    expect(JSON.stringify([wrong, error, error.stack])).not.toContain('secret-of-mine');
    expect(gateway.requests).toHaveLength(1);
  });

  test('422 with all its faults, each found by its field', async () => {
    const positions = [{ title: '', amount: 1500, currency: 'USD' as const }];
    const bad = clientWith().createInvoice(order({ amount: 0, positions }));
    const error = await thrown(bad, InvalidRequestError);
    expect(error.code).toBe('invalid_request');
    expect(error.of('amount')).toMatchObject([{ type: 'greater_than' }]);
    expect(error.of('positions.0.title')).toMatchObject([{ type: 'string_too_short' }]);
    expect(error.message).toContain('amount: Input should be greater than 0');
  });

  test('404 for an unknown invoice', async () => {
    const error = await thrown(clientWith().cancelInvoice('inv_none'), InvoiceNotFoundError);
    expect(error).toMatchObject({ code: 'not_found', httpStatus: 404 });
  });

  test('409 with why an invoice cannot be cancelled', async () => {
    const client = clientWith();
    const paid = await client.createInvoice(order());
    await client.sandbox.pay(paid.invoice_id);
    const error = await thrown(client.cancelInvoice(paid.invoice_id), ConflictError);
    expect(error).toMatchObject({ code: 'conflict', reason: 'already_paid' });
    const expired = await client.createInvoice(order());
    await client.sandbox.expire(expired.invoice_id);
    const other = await thrown(client.cancelInvoice(expired.invoice_id), ConflictError);
    expect(other.reason).toBe('already_expired');
  });

  test('413 for a body that is too large', async () => {
    const huge = clientWith().createInvoice(order({ description: 'x'.repeat(300_000) }));
    expect((await thrown(huge, RequestTooLargeError)).code).toBe('too_large');
  });

  test('431 and 400 for what the gateway could not read, each sent once', async () => {
    gateway.trouble.push(unread(431, 'Request line and headers are too large'));
    const long = await thrown(clientWith().readStatus({ invoiceId: 'x' }), RequestTooLargeError);
    expect(long).toMatchObject({
      httpStatus: 431,
      message: 'Request line and headers are too large',
    });
    gateway.trouble.push(unread(400, 'Request is not valid HTTP'));
    const broken = await thrown(clientWith().readStatus({ invoiceId: 'x' }), BrokenRequestError);
    expect(broken).toMatchObject({ httpStatus: 400, message: 'Request is not valid HTTP' });
    expect(gateway.requests).toHaveLength(2);
  });

  test('another server, a redirect or a wrong path is no answer of the gateway', async () => {
    gateway.trouble.push({ status: 200, body: '<html>' });
    const page = await thrown(clientWith().readStatus({ invoiceId: 'x' }), UnexpectedAnswerError);
    expect(page.message).toContain('<html>');
    gateway.trouble.push({ status: 308, body: '', headers: { location: 'https://pay.example/' } });
    const moved = await thrown(clientWith().createInvoice(order()), UnexpectedAnswerError);
    expect(moved.message).toContain('a redirect to https://pay.example/');
    const lost = clientWith({ baseUrl: gateway.origin }).readStatus({ invoiceId: 'x' });
    expect((await thrown(lost, UnexpectedAnswerError)).message).toContain('is baseUrl right?');
    expect(() => clientWith({ baseUrl: 'pay.example' })).toThrow(TypeError);
  });

  test('nobody there, and nobody who answers in time', async () => {
    const nobody = clientWith({ baseUrl: 'http://127.0.0.1:1', maxAttempts: 2 });
    const error = await thrown(nobody.createInvoice(order()), UnreachableError);
    expect(error).toMatchObject({ code: 'unreachable', reason: 'network', httpStatus: null });
    const never: typeof fetch = (_, init) =>
      new Promise((_, reject) => {
        init?.signal?.addEventListener('abort', () => reject(init.signal?.reason));
      });
    const slow = clientWith({ fetch: never, timeoutMs: 5, maxAttempts: 2 });
    const late = await thrown(slow.createInvoice(order()), UnreachableError);
    expect(late).toMatchObject({ reason: 'timeout', message: 'No answer within 5 ms' });
  });

  test('what cannot be written is told as such, and is not sent', async () => {
    const pauses: number[] = [];
    const backOffMs = (attempt: number) => pauses.push(attempt);
    const client = clientWith({ backOffMs });
    const foreign = client.createInvoice(order(), { idempotencyKey: 'заказ 7' });
    expect((await thrown(foreign, TypeError)).message).toContain('idempotency-key is sent as a');
    const amount = 1500n as unknown as number;
    const big = await thrown(client.createInvoice(order({ amount })), TypeError);
    expect(big.message).toMatch(/cannot be written as JSON: .*BigInt/);
    const bare = 'inv_1' as unknown as { invoiceId: string };
    expect((await thrown(client.readStatus(bare), TypeError)).message).toContain('{ invoiceId }');
    const token = 'secret-of-mine\nand more';
    const broken = await thrown(
      clientWith({ token, backOffMs }).readStatus({ invoiceId: 'x' }),
      TypeError,
    );
    expect(broken.message).toContain('authorization is sent as a header');
    expect(`${broken.stack} ${broken.cause}`).not.toContain('secret-of-mine');
    expect([gateway.requests, pauses]).toEqual([[], []]);
  });

  test('an option that cannot be used is refused before anything is sent', () => {
    const token = undefined as unknown as string;
    expect(() => clientWith({ token })).toThrow(new TypeError('token is empty or not given'));
    expect(() => clientWith({ merchantId: '' })).toThrow('merchantId is empty or not given');
    expect(() => clientWith({ maxAttempts: Number.NaN })).toThrow('maxAttempts must be a finite');
    for (const timeoutMs of [-1, 0, 2_147_483_648, 4_294_967_295, 5e9, Number.NaN]) {
      const message = 'timeoutMs must be a number from 1 to 2147483647';
      expect(() => clientWith({ timeoutMs })).toThrow(new TypeError(message));
    }
    const baseUrl = 'https://me:secret@pay.example/api/sandbox';
    expect(() => clientWith({ baseUrl })).toThrow(/^baseUrl must be like https:\/\/pay\.example/);
  });

  test.each([1500.5, 2_147_483_647])('a request may take %d ms', async (timeoutMs) => {
    const client = clientWith({ timeoutMs });
    expect(await client.createInvoice(order())).toHaveProperty('invoice_id');
  });

  test('a caller that gives up gets its own reason, at once', async () => {
    gateway.trouble.push(SERVER_ERROR);
    const controller = new AbortController();
    const client = clientWith({
      backOffMs: () => {
        setTimeout(() => controller.abort(new Error('the buyer has left')), 1);
        return 60_000;
      },
    });
    const create = client.createInvoice(order(), { signal: controller.signal });
    await expect(create).rejects.toThrow('the buyer has left');
    // Also in the middle of a request, which is then not sent again.
    const second = new AbortController();
    const hanging: typeof fetch = (_, init) => {
      setTimeout(() => second.abort(new Error('left early')), 1);
      return new Promise((_resolve, reject) => {
        init?.signal?.addEventListener('abort', () => reject(init.signal?.reason));
      });
    };
    const waiting = clientWith({ fetch: hanging }).createInvoice(order(), {
      signal: second.signal,
    });
    await expect(waiting).rejects.toThrow('left early');
  });
});
