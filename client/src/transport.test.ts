import { getEventListeners, once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { GatewayClient, type InvoiceReference } from './client.ts';
import type { InvoiceCreateRequest } from './contract.ts';
import { RateLimitedError, UnexpectedAnswerError } from './errors.ts';

type Sent = { url: string; headers: Headers; body: unknown };

const PENDING = { invoice_id: 'inv_1', status: 1, end_date: 0 };
const done = () => Response.json({ result: true, data: PENDING, error: null });

/** A client whose requests get these answers, in order, and the requests it has sent. */
function clientOf(answers: Response[], baseUrl = 'http://gateway.example/api/sandbox') {
  const sent: Sent[] = [];
  const client = new GatewayClient({
    baseUrl,
    merchantId: 'mer_1',
    token: 'gw_sandbox_1',
    backOffMs: () => 1,
    fetch: async (url, init) => {
      sent.push({ url: `${url}`, headers: new Headers(init?.headers), body: init?.body });
      const answer = answers.shift();
      if (!answer) throw new Error('nothing more was to be sent');
      return answer;
    },
  });
  return { client, sent };
}

test.each(['/', '//', '\n', ' ', '/ \r\n'])('a base URL may end with %j', async (end) => {
  const { client, sent } = clientOf([done()], `http://gateway.example/api/sandbox${end}`);
  await client.sandbox.pay('inv_1');
  expect(sent.map(({ url }) => url)).toEqual([
    'http://gateway.example/api/sandbox/test/invoice/pay',
  ]);
});

test.each(['?shop=7', '#sandbox'])('a base URL that ends with %s is refused', (end) => {
  const told = 'baseUrl must be like https://pay.example/api/sandbox';
  expect(() => clientOf([], `http://gateway.example/api/sandbox${end}`)).toThrow(told);
});

test('in production the sandbox’s driver sends nothing and says why', async () => {
  for (const end of ['', '/', '\n']) {
    const { client, sent } = clientOf([], `https://gateway.example/api/production${end}`);
    const why = new TypeError(
      'sandbox works in the sandbox only, and baseUrl is that of production',
    );
    await expect(client.sandbox.pay('inv_1')).rejects.toThrow(why);
    await expect(client.sandbox.expire('inv_1')).rejects.toThrow(why);
    await expect(client.sandbox.resendCallback('inv_1')).rejects.toThrow(why);
    expect(sent).toEqual([]);
  }
});

// Missing values from databases and plain JavaScript, whatever the types say.
const MISSING = [null, undefined] as unknown as string[];

test.each(MISSING)('a create whose own key is %s has a new one', async (idempotencyKey) => {
  const { client, sent } = clientOf([done()]);
  await client.createInvoice({} as InvoiceCreateRequest, { idempotencyKey });
  expect(sent).toHaveLength(1);
  expect(sent[0]?.headers.get('idempotency-key')).toMatch(/^[\da-f]{8}-[\da-f-]{27}$/);
});

test('a repeat is what was sent first, whatever its object holds by then', async () => {
  const error = { message: 'Invoice with this merchant_transaction_id already exists' };
  const duplicate = Response.json({ error }, { status: 409 });
  const { client, sent } = clientOf([new Response('', { status: 503 }), duplicate, done()]);
  const order = { merchant_transaction_id: 'order-1' } as InvoiceCreateRequest;
  const creating = client.createInvoice(order);
  order.merchant_transaction_id = 'order-2';
  await expect(creating).rejects.toMatchObject({ code: 'duplicate_transaction' });
  const first = '{"merchant_transaction_id":"order-1"}';
  expect(sent.map(({ body }) => body)).toEqual([first, first, undefined]);
  expect(sent[2]?.url).toMatch(/\?merchant_transaction_id=order-1$/);
});

test.each(MISSING)('no status is asked for where the id is %s', async (id) => {
  const { client, sent } = clientOf([]);
  const byId = client.readStatus({ invoiceId: id });
  await expect(byId).rejects.toThrow(new TypeError('invoiceId is empty or not given'));
  const byOwn = client.readStatus({ merchantTransactionId: id });
  await expect(byOwn).rejects.toThrow(/^merchantTransactionId is empty or not given$/);
  expect(sent).toEqual([]);
});

test('a status asked for by the name that the API gives the id says what to give', async () => {
  const { client, sent } = clientOf([]);
  const byItsName = client.readStatus({ invoice_id: 'inv_1' } as unknown as InvoiceReference);
  const told = 'readStatus takes { invoiceId } or { merchantTransactionId }';
  await expect(byItsName).rejects.toThrow(new TypeError(told));
  expect(sent).toEqual([]);
});

describe.each([
  [408, 'broken_request'],
  [429, 'rate_limited'],
])('a %i that is a proxy’s', (status, code) => {
  const proxys = () =>
    new Response('<h1>Not now</h1>', { status, headers: { 'retry-after': '0' } });

  test('is tried again, whatever was asked: nothing was done', async () => {
    const { client, sent } = clientOf([proxys(), proxys(), done(), proxys(), done()]);
    expect(await client.readStatus({ invoiceId: 'inv_1' })).toEqual(PENDING);
    expect(await client.sandbox.pay('inv_1')).toEqual(PENDING);
    expect(sent).toHaveLength(5);
  });

  test('has its own name after the last attempt', async () => {
    const { client, sent } = clientOf([proxys(), proxys(), proxys(), proxys(), proxys()]);
    await expect(client.readStatus({ invoiceId: 'inv_1' })).rejects.toMatchObject({
      code,
      httpStatus: status,
      message: `HTTP ${status}: <h1>Not now</h1>`,
    });
    expect(sent).toHaveLength(5);
  });
});

test.each([
  ['texts', ['end_date is in the past']],
  ['nothing', [null]],
  ['another framework’s', [{ path: ['body', 'amount'], message: 'Too small' }]],
  ['half a fault', [{ loc: 'body.amount', msg: 'Too small' }]],
  ['a fault without words', [{ loc: ['body', 'amount'] }]],
  ['a place that is none', [{ loc: ['body', { toString: 1 }], msg: 'Too small' }]],
])('a 422 whose detail is %s is not the gateway’s', async (_, detail) => {
  const { client, sent } = clientOf([Response.json({ detail }, { status: 422 })]);
  await expect(client.cancelInvoice('inv_1')).rejects.toMatchObject({
    code: 'unexpected_answer',
    httpStatus: 422,
  });
  expect(sent).toHaveLength(1);
});

test.each([
  ['without', { result: true }],
  ['with null for', { result: true, data: null }],
  ['with a list for', { result: true, data: [PENDING] }],
  ['with a text for', { result: true, data: 'inv_1' }],
])('a 200 %s data is not the gateway’s', async (_, body) => {
  const { client, sent } = clientOf([Response.json(body)]);
  await expect(client.readStatus({ invoiceId: 'inv_1' })).rejects.toMatchObject({
    code: 'unexpected_answer',
    httpStatus: 200,
  });
  expect(sent).toHaveLength(1);
});

describe('a signal of the caller’s', () => {
  const OK = JSON.stringify({ result: true, data: PENDING });

  /** A gateway that answers with these statuses in order; 0 is an answer without end. */
  async function serverOf(statuses: number[], onRequest?: () => void) {
    const server = createServer((_, response) => {
      onRequest?.();
      const status = statuses.shift();
      if (status === 0) response.write('{');
      else response.writeHead(status ?? 500, { 'retry-after': '0' }).end(OK);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    return `http://127.0.0.1:${port}/api/sandbox`;
  }

  const clientAt = (baseUrl: string, timeoutMs: number) =>
    new GatewayClient({
      baseUrl,
      merchantId: 'mer_1',
      token: 'gw_sandbox_1',
      timeoutMs,
      maxAttempts: 2,
      backOffMs: () => 1,
    });

  test('is listened to while a request is under way, and is left as it was', async () => {
    const { signal } = new AbortController();
    const listeners = () => getEventListeners(signal, 'abort').length;
    const during: number[] = [];
    const baseUrl = await serverOf([200, 503, 200, 400], () => during.push(listeners()));
    const client = clientAt(baseUrl, 30_000);
    for (let call = 0; call < 2; call++) {
      expect(await client.readStatus({ invoiceId: 'inv_1' }, { signal })).toEqual(PENDING);
    }
    await expect(client.cancelInvoice('inv_1', { signal })).rejects.toThrow(UnexpectedAnswerError);
    expect([during, listeners()]).toEqual([[1, 1, 1, 1], 0]);
  });

  test('is told from the time, in the middle of an answer as well', async () => {
    const end = new AbortController();
    const listeners = () => getEventListeners(end.signal, 'abort').length;
    const options = { signal: end.signal };
    const slow = clientAt(await serverOf([0, 0]), 5);
    const late = slow.readStatus({ invoiceId: 'inv_1' }, options);
    await expect(late).rejects.toMatchObject({
      reason: 'timeout',
      message: 'No answer within 5 ms',
      cause: { name: 'TimeoutError', message: 'The operation was aborted due to timeout' },
    });
    expect(listeners()).toBe(0);
    const baseUrl = await serverOf([0], () => end.abort(new Error('left early')));
    const ended = clientAt(baseUrl, 30_000).readStatus({ invoiceId: 'inv_1' }, options);
    await expect(ended).rejects.toThrow('left early');
    expect(listeners()).toBe(0);
  });
});

describe('a Retry-After', () => {
  const refusal = (retryAfter: string, date?: string) =>
    new Response('<h1>Not now</h1>', {
      status: 429,
      headers: { 'retry-after': retryAfter, ...(date && { date }) },
    });
  const askedMs = async (retryAfter: string, date?: string) => {
    const { client } = clientOf([refusal(retryAfter, date)]);
    const error: unknown = await client.readStatus({ invoiceId: 'inv_1' }).catch((told) => told);
    return error instanceof RateLimitedError ? error.retryAfterMs : error;
  };

  test('may be a date, which is held against the answer’s own', async () => {
    const date = 'Sat, 21 Nov 2026 12:00:00 GMT';
    expect(await askedMs('Sat, 21 Nov 2026 12:00:40 GMT', date)).toBe(40_000);
    expect(await askedMs('Saturday, 21-Nov-26 12:00:40 GMT', date)).toBe(40_000);
    const ahead = await askedMs(new Date(Date.now() + 60_000).toUTCString());
    expect(ahead).toBeGreaterThan(50_000);
    expect(ahead).toBeLessThanOrEqual(60_000);
  });

  test('that is a date is waited for, and not where it is past', async () => {
    const date = 'Sat, 21 Nov 2026 12:00:00 GMT';
    const past = refusal('Sat, 21 Nov 2026 11:00:00 GMT', date);
    const ahead = refusal('Sat, 21 Nov 2026 12:00:01 GMT', date);
    const { client, sent } = clientOf([past, ahead, done()]);
    const begunMs = performance.now();
    expect(await client.readStatus({ invoiceId: 'inv_1' })).toEqual(PENDING);
    expect(sent).toHaveLength(3);
    const tookMs = performance.now() - begunMs;
    expect(tookMs).toBeGreaterThan(990);
  });

  test('that is neither a number nor a date asks for nothing', async () => {
    const odd = ['1.5', '-1', 'soon', '2026-11-21'].map((value) => refusal(value));
    const { client, sent } = clientOf([...odd, done()]);
    expect(await client.readStatus({ invoiceId: 'inv_1' })).toEqual(PENDING);
    expect(sent).toHaveLength(5);
  });
});
