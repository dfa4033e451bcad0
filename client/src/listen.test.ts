import { getEventListeners, once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openShop } from '../../server/testing/callbacks.ts';
import { GatewayClient } from './client.ts';
import { forwardedText } from './command.ts';
import { type Forwarded, listen } from './listen.ts';

let shop: Awaited<ReturnType<typeof openShop>>;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.close());

const callback = {
  forward_id: 'fwd',
  invoice_id: 'inv',
  attempt: 1,
  url: 'http://localhost:4000/callback',
  headers: [],
  body: '{"status":2}',
};

const taken = (callbacks: object[]) =>
  Response.json({ result: true, data: { listening_until: 0, callbacks } });

const clientOf = (fakeFetch: typeof fetch) =>
  new GatewayClient({
    baseUrl: 'http://gateway.example/api/sandbox',
    merchantId: 'mer_1',
    token: 'gw_sandbox_1',
    fetch: fakeFetch,
  });

/**
 * Listens until the first callback has been forwarded.
 *
 * @param listens what is answered to each look for callbacks; then none comes any more
 * @param verdict what is answered to what the shop has said; `answers` holds that
 */
async function listenOnce(listens: Response[], verdict: Response, forwardTo = shop.url) {
  const controller = new AbortController();
  const { signal } = controller;
  const answers: object[] = [];
  const fakeFetch = async (url: unknown, init?: RequestInit) => {
    if (`${url}`.endsWith('/answer')) {
      answers.push(JSON.parse(`${init?.body}`));
      return verdict;
    }
    const next = listens.shift();
    if (!next && !signal.aborted) await once(signal, 'abort');
    return next ?? taken([]);
  };
  const client = clientOf(fakeFetch);
  const forwarded: Forwarded[] = [];
  const troubles: string[] = [];
  await listen(client, {
    forwardTo,
    signal,
    onForwarded: (each) => {
      forwarded.push(each);
      controller.abort();
    },
    onTrouble: ({ message }) => troubles.push(message),
  });
  return { forwarded, troubles, answers };
}

test('outlives what a proxy says in between, and gets what comes after it', async () => {
  const page = '<html>\n<h1>Not now\u001b[2J</h1>';
  const proxy = [502, 504].map((status) => new Response(page, { status }));
  const verdict = { delivered: true, reason: null, next_attempt_in_ms: null };
  const { forwarded, troubles } = await listenOnce(
    [taken([]), ...proxy, taken([callback])],
    Response.json({ result: true, data: verdict }),
  );
  const told = "is not the gateway's answer (is baseUrl right?): <html> <h1>Not now [2J</h1>";
  expect(troubles).toEqual([`HTTP 502 ${told}`, `HTTP 504 ${told}`]);
  expect(forwarded).toMatchObject([{ httpStatus: 200, verdict }]);
});

test.each([
  ['onReady', [taken([])]],
  ['onForwarded', [taken([callback])]],
])('ends with what %s throws, and says that it listens no more', async (handler, listens) => {
  const said: string[] = [];
  const client = clientOf(async (url, init) => {
    if (`${url}`.endsWith('/answer')) return taken([]);
    const { step } = JSON.parse(`${init?.body}`);
    said.push(step);
    const next = listens.shift();
    const { signal } = init ?? {};
    if (!next && step !== 'stop' && signal && !signal.aborted) await once(signal, 'abort');
    return next ?? taken([]);
  });
  const fault = new Error('of the caller');
  const fail = () => {
    throw fault;
  };
  const handlers = { onForwarded: () => undefined, [handler]: fail };
  const { signal } = new AbortController();
  const listening = listen(client, { forwardTo: shop.url, signal, ...handlers });
  await expect(listening).rejects.toBe(fault);
  expect(said.at(-1)).toBe('stop');
});

test('leaves nothing behind on the signal, however often it waits', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const controller = new AbortController();
  const { signal } = controller;
  const left: number[] = [];
  await listen(
    clientOf(async () => new Response('', { status: 502 })),
    {
      forwardTo: shop.url,
      signal,
      onForwarded: () => undefined,
      onTrouble: () => {
        left.push(getEventListeners(signal, 'abort').length);
        if (left.length === 12) controller.abort();
        // By then it waits.
        else setImmediate(() => vi.runAllTimers());
      },
    },
  ).finally(() => vi.useRealTimers());
  expect(left).toEqual(new Array(12).fill(0));
});

test.each([
  [404, 'No callback waits for this answer', null],
  [401, 'Unauthorized', 'unauthorized'],
  [
    422,
    [{ loc: ['body', 'location'], msg: 'too long', type: 'string_too_long' }],
    'invalid_request',
  ],
])('takes a %i to an answer for what it is', async (status, fault, code) => {
  const refusal = Array.isArray(fault) ? { detail: fault } : { error: { message: fault } };
  const { forwarded } = await listenOnce([taken([callback])], Response.json(refusal, { status }));
  expect(forwarded).toMatchObject([{ httpStatus: 200, verdict: null }]);
  expect(forwarded[0]?.trouble?.code ?? null).toBe(code);
});

/** What is told of the answer of `local`, a developer's program, to a callback. */
async function toldOf(local: Server): Promise<unknown[]> {
  await once(local.listen(0, '127.0.0.1'), 'listening');
  const { port } = local.address() as AddressInfo;
  const verdict = { delivered: false, reason: null, next_attempt_in_ms: null };
  const { answers } = await listenOnce(
    [taken([]), taken([callback])],
    Response.json({ result: true, data: verdict }),
    `http://127.0.0.1:${port}/callback`,
  );
  local.close();
  return answers;
}

test.each([
  ['100 Continue\r\n\r\n', 'unasked_continue'],
  ['101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n', 'malformed_answer'],
])('tells a %j that nobody asked for from a broken connection', async (answer, failure) => {
  const local = createServer((socket) => {
    socket
      .on('error', () => undefined)
      .once('data', () => {
        socket.write(`HTTP/1.1 ${answer}`);
      });
  });
  const told = { http_status: null, failure };
  expect(await toldOf(local)).toMatchObject([told]);
});

test('a redirect of the local program is its answer, and is not followed', async () => {
  const asked: string[] = [];
  const local = createHttpServer((request, response) => {
    asked.push(request.url ?? '');
    response.writeHead(307, { location: '/elsewhere' }).end('moved');
  });
  const told = { http_status: 307, location: '/elsewhere', failure: null };
  expect(await toldOf(local)).toMatchObject([told]);
  expect(asked).toEqual(['/callback']);
});

test('the time beside a callback is that of the developer’s own clock', () => {
  vi.stubEnv('TZ', 'Asia/Kolkata');
  const answered = { httpStatus: 200, answer: '', cause: null, durationMs: 1 };
  const forwarded = { callback, ...answered, verdict: null, trouble: null };
  expect(forwardedText(forwarded, new Date('2026-01-01T20:00:05Z'))).toMatch(/^01:30:05 {2}PAID/);
  vi.unstubAllEnvs();
});
