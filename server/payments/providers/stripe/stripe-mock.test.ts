import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OpenAccount } from '../../../merchants/acquirer-accounts.ts';
import { freePort, isListening } from '../../../testing/ports.ts';
import { provideGoProgram } from '../../../testing/samples/go-programs.ts';
import type { StartRequest } from '../../start-request.ts';
import { StripeApi } from './api.ts';

const { file, missing } = await provideGoProgram('github.com/stripe/stripe-mock@v0.203.0');

const account = {
  id: 'acq_1',
  provider: 'stripe',
  credentials: { secret_key: 'sk_test_123' },
  noteCall: () => Promise.resolve(),
} as unknown as OpenAccount;

const request: StartRequest = {
  attemptId: 'pay_1',
  invoiceId: 'inv_1',
  amountMinor: 7_999n,
  currency: 'EUR',
  description: 'Ticket',
  buyerEmail: 'buyer@example.com',
  positions: [],
  locale: 'uz',
  returnUrl: 'https://pay.example/pay/inv_1/return?attempt=pay_1',
  hookUrl: 'https://pay.example/api/acquirers/stripe/acq_1',
  createdAtMs: Date.parse('2026-11-21T12:00:00.000Z'),
};

let mock: ChildProcess;
let mockUrl: string;
let api: StripeApi;
const answered: string[] = [];

/**
 * stripe-mock knows Stripe's interface as of November 2025, in which the list of payment methods
 * that a page allows has its former name.
 */
const door = createServer(async (incoming, response) => {
  const { method, url = '', headers } = incoming;
  const body = await text(incoming);
  const sent = await fetch(mockUrl + url, {
    method: method ?? 'GET',
    headers: {
      authorization: headers.authorization ?? '',
      ...(headers['content-type'] ? { 'content-type': headers['content-type'] } : {}),
    },
    ...(method === 'POST'
      ? { body: body.replace('allowed_payment_method_types', 'payment_method_types') }
      : {}),
  });
  answered.push(`${method} ${url.split('?')[0]} ${sent.status}`);
  response.writeHead(sent.status, { 'content-type': 'application/json' });
  response.end(await sent.text());
});

beforeAll(async () => {
  if (missing) return;
  const [http, https] = [await freePort(), await freePort()];
  mockUrl = `http://127.0.0.1:${http}`;
  const places = ['-http-addr', `127.0.0.1:${http}`, '-https-addr', `127.0.0.1:${https}`];
  mock = spawn(file, places, { stdio: 'ignore' });
  while (!(await isListening(http))) await wait(50);
  door.listen(0, '127.0.0.1');
  await once(door, 'listening');
  api = new StripeApi(account, `http://127.0.0.1:${(door.address() as AddressInfo).port}`);
});
afterAll(() => {
  mock?.kill();
  door.close();
});

async function drain(lines: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of lines);
}

const because = missing && ` (not run: ${missing})`;
test.runIf(missing === '')(`stripe-mock accepts every call of ours${because}`, async () => {
  const session = await api.createSession(request);
  await api.readSession(session.id);
  await api.expireSession(session.id);
  await api.capture('pi_1', 'pay_1');
  await api.cancel('pi_1', 'pay_1');
  await api.giveBack('pi_1', 'pay_1');
  const payment = { ...request, id: 'pay_1', authorisationId: session.id, startRequest: request };
  await api.refund({
    refundId: 'ref_1',
    payment: { ...payment, transactionId: 'pi_1' },
    amountMinor: 1_000n,
    refundedBeforeMinor: 0n,
    reason: 'a parcel was lost',
    reference: null,
    createdAtMs: request.createdAtMs,
  });
  await api.readRefund('re_1');
  await drain(api.refundsOf('pi_1'));
  await drain(api.intentsIn({ gte: 1, lt: 2 }));
  await drain(api.refundsIn({ gte: 1, lt: 2 }));
  await api.readTransaction('txn_1');
  await api.readDispute('du_1');
  await api.tryKey();
  expect(answered).toEqual([
    'POST /v1/checkout/sessions 200',
    `GET /v1/checkout/sessions/${session.id} 200`,
    `POST /v1/checkout/sessions/${session.id}/expire 200`,
    'POST /v1/payment_intents/pi_1/capture 200',
    'POST /v1/payment_intents/pi_1/cancel 200',
    'POST /v1/refunds 200',
    'POST /v1/refunds 200',
    'GET /v1/refunds/re_1 200',
    'GET /v1/refunds 200',
    'GET /v1/payment_intents 200',
    'GET /v1/refunds 200',
    'GET /v1/balance_transactions/txn_1 200',
    'GET /v1/disputes/du_1 200',
    'GET /v1/payment_intents 200',
  ]);
});
