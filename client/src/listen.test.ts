import { getEventListeners, once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { gzipSync } from 'node:zlib';
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
 * @param listens the answers to each poll for callbacks; after them no callback comes
 * @param verdict the answer to the report of the shop's answer; `answers` holds that report
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
        // The listener waits by then.
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

/** What the listener reports of the answer of `local`, a developer's program, to a callback. */
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

const GOOD = 'HTTP/1.1 200 OK\r\nContent-Length: 16\r\n\r\n{"success":true}';
const LONG = 'x'.repeat(60_000);

/** A program that answers with these bytes. */
const saying = (answer: string | Buffer) =>
  createServer((socket) => {
    socket.on('error', () => undefined).once('data', () => socket.end(answer));
  });

test.each([
  ['100', 'HTTP/1.1 100 Continue\r\n\r\n'],
  ['102 and 103', 'HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nA: b\r\n\r\n'],
])('an interim answer of the local program is passed over: %s', async (_, interim) => {
  const body_base64 = Buffer.from('{"success":true}').toString('base64');
  const told = { http_status: 200, body_base64, failure: null };
  expect(await toldOf(saying(interim + GOOD))).toMatchObject([told]);
});

test.each([
  ['101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n', null, 'malformed_answer'],
  [`101 Switching\r\n\r\n${GOOD}`, null, 'malformed_answer'],
  ['099 Odd\r\nContent-Length: 0\r\n\r\n', null, 'malformed_answer'],
  ['what?\r\n\r\n', null, 'malformed_answer'],
  ['200 OK\r\nContent-Length: 9\r\n\r\n{}', 200, 'connection_closed'],
  [`200 OK\r\nA: ${LONG}\r\nB: ${LONG}\r\n\r\n`, null, 'too_large'],
  [`200 OK\r\nContent-Length: 120000\r\n\r\n${LONG}${LONG}`, 200, 'too_large'],
])('tells %.40j for what it is', async (answer, http_status, failure) => {
  const told = { http_status, failure };
  expect(await toldOf(saying(`HTTP/1.1 ${answer}`))).toMatchObject([told]);
});

test('an answer that the local program encodes unasked is told decoded', async () => {
  const coded = gzipSync('{"success":true}');
  const local = createHttpServer((_, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(coded);
  });
  const body_base64 = Buffer.from('{"success":true}').toString('base64');
  expect(await toldOf(local)).toMatchObject([{ http_status: 200, body_base64, failure: null }]);
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
