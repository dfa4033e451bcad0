import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import type pg from 'pg';
import { notificationId } from '../callbacks/enqueue.ts';
import { createSender } from '../callbacks/http/send.ts';
import { createSigningKeys } from '../callbacks/http/signing-keys.ts';
import { claimDue, releaseLeases } from '../callbacks/queue/claim.ts';
import { attempt, type DeliveryContext } from '../callbacks/queue/deliver.ts';
import { HeldCallbacks } from '../callbacks/queue/held-callbacks.ts';
import { Recorder } from '../callbacks/queue/recorder.ts';
import type { AttemptResult, ClaimedCallback } from '../callbacks/types.ts';
import type { Queryable } from '../db/pool.ts';
import type { Environment } from '../merchants/types.ts';

export type Received = { path: string; headers: IncomingHttpHeaders; body: Buffer };

/** Answers a request; `nth` counts all requests from 1. */
export type Answer = (response: ServerResponse, received: Received, nth: number) => void;

/** A merchant's server's answer when all is well. */
export const ACCEPT: Answer = (response) => {
  response.setHeader('content-type', 'application/json');
  response.end('{"success":true}');
};

export type Shop = {
  url: string;
  received: Received[];
  /** The most requests that were open at once. */
  mostOpen: () => number;
  close(): Promise<void>;
};

/** A merchant's server on a free port of 127.0.0.1. */
export async function openShop(answer: Answer = ACCEPT): Promise<Shop> {
  const received: Received[] = [];
  let open = 0;
  let most = 0;
  const server = createServer((request, response) => {
    open += 1;
    most = Math.max(most, open);
    response.once('close', () => {
      open -= 1;
    });
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { url = '', headers } = request;
      const one = { path: url, headers, body: Buffer.concat(chunks) };
      received.push(one);
      answer(response, one, received.length);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`,
    received,
    mostOpen: () => most,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** A bare TCP server on a free port of 127.0.0.1: for answers that are not HTTP, or broken HTTP. */
export async function openTcp(onConnection: (socket: Socket) => void) {
  /** The sockets that connected. */
  const seen: Socket[] = [];
  const server = createTcpServer((socket) => {
    seen.push(socket);
    socket.on('error', () => undefined);
    onConnection(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    seen,
    close: async () => {
      for (const socket of seen) socket.destroy();
      server.close();
    },
  };
}

/** A callback as a worker claims it for its first attempt, addressed to `url`. */
export function claimedFor(url: string, body = Buffer.from('{}')): ClaimedCallback {
  return {
    id: 'ntf_1',
    kind: 'notification',
    invoiceId: 'inv_1',
    merchantId: 'mer_1',
    environment: 'sandbox',
    url,
    body,
    attemptCount: 0,
    stepsTaken: 0,
    dueAt: '2026-11-21 12:00:00+00',
    trigger: 'schedule',
    requestId: null,
    sendBeforeMs: Number.POSITIVE_INFINITY,
  };
}

// An invoice as after payment, and its callback, `$1` times.
const INSERT_DUE = `
  WITH numbered AS (
    SELECT $2::text || '_' || lpad(n::text, 7, '0') AS id FROM generate_series(1, $1::int) n
  ), invoice AS (
    INSERT INTO invoices (id, merchant_id, environment, merchant_transaction_id, status,
      amount_minor, currency, description, positions, success_url, error_url, callback_url,
      end_date, created_at, status_changed_at)
    SELECT id, $3::text, $6::environment, id, 'CANCELED', 1500, 'USD', 'Two tickets', '[]',
      'http://localhost:1/', 'http://localhost:1/', $4::text, $5::timestamptz, $5, $5
    FROM numbered
    RETURNING id
  )
  INSERT INTO callbacks (id, invoice_id, merchant_id, environment, url, host, invoice_status, body,
    next_attempt_at, created_at)
  SELECT ${notificationId('id')}, id, $3, $6, $4, 'test', 'CANCELED',
    convert_to('{"invoice_id":"' || id || '","status":4,"amount":1500}', 'UTF8'), $5, $5
  FROM numbered
  RETURNING invoice_id`;

type Due = {
  merchantId: string;
  environment?: Environment;
  url: string;
  at: Date;
  count?: number;
};

/** Inserts callbacks of one merchant that have been due since `at`; returns their invoices' ids. */
export async function insertDue(
  db: Queryable,
  { merchantId, environment = 'sandbox', url, at, count = 1 }: Due,
): Promise<string[]> {
  const prefix = `inv_${randomBytes(8).toString('hex')}`;
  // The callbacks come after their invoices: the foreign key is checked at the statement's end.
  const { rows } = await db.query<{ invoice_id: string }>(INSERT_DUE, [
    count,
    prefix,
    merchantId,
    url,
    at.toISOString(),
    environment,
  ]);
  return rows.map((row) => row.invoice_id);
}

/** The id of an invoice's notification. */
export const notificationOf = (invoiceId: string): string => `ntf_${invoiceId.slice(4)}`;

export const TEST_SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

/** Delivers for real, on loopback, with an injected clock and no jitter. */
export function testContext(
  pool: pg.Pool,
  more: Partial<DeliveryContext> & { timeoutMs?: number } = {},
): DeliveryContext & { errors: unknown[] } {
  const clock = more.clock ?? (() => new Date());
  const errors: unknown[] = [];
  return {
    pool,
    sender: createSender({ network: 'local', clock, timeoutMs: more.timeoutMs }),
    keys: createSigningKeys(() => Promise.resolve([TEST_SECRET])),
    random: () => 0,
    onError: (error) => errors.push(error),
    errors,
    ...more,
    clock,
  };
}

/** One step of a pump, for a clock that stands still: claims once, delivers and records. */
export async function deliverOnce(
  context: DeliveryContext,
  { now, limit }: { now: Date; limit: number },
): Promise<{ attempted: number; delivered: number }> {
  const { pool, onError } = context;
  const held = new HeldCallbacks();
  const claimed = await claimDue(pool, { now, limit, held });
  let isWhole = true;
  const onRefused = () => {
    isWhole = false;
  };
  const recorder = new Recorder({ pool, onRefused, onError });
  const states: string[] = [];
  await Promise.all(
    claimed.map(async (callback) => {
      const result = await attempt(context, callback);
      if (!result) return;
      states.push(result.state);
      recorder.add(result);
    }),
  );
  await recorder.idle();
  if (isWhole) await releaseLeases(pool, held);
  const delivered = states.filter((state) => state === 'delivered').length;
  return { attempted: states.length, delivered };
}

/** Waits for an effect of other processes or timers. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  limitMs = 20_000,
): Promise<void> {
  const deadline = performance.now() + limitMs;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`not so within ${limitMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** The result of a claimed callback's attempt at `at`; delivered by default. */
export function resultOf(
  claimed: ClaimedCallback,
  at: Date,
  more: Partial<AttemptResult> = {},
): AttemptResult {
  return {
    id: claimed.id,
    invoiceId: claimed.invoiceId,
    merchantId: claimed.merchantId,
    attemptCountBefore: claimed.attemptCount,
    dueAt: claimed.dueAt,
    state: 'delivered',
    nextAttemptAt: at,
    startedAt: at,
    durationMs: 5,
    httpStatus: 200,
    reason: null,
    answer: null,
    trigger: 'schedule',
    ...more,
  };
}
