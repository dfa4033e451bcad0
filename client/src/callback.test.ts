import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type SmallGateway, startSmallGateway } from '../../e2e/small-gateway.ts';
import { signature, signingKey } from '../../server/callbacks/http/sign.ts';
import { openShop, type Received, TEST_SECRET } from '../../server/testing/callbacks.ts';
import { createBody } from '../../server/testing/rest.ts';
import { verifyCallback } from './callback.ts';
import { GatewayClient } from './client.ts';
import type { InvoiceCreateRequest } from './contract.ts';
import type { CallbackFault } from './errors.ts';

const OTHER_SECRET = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;

let gateway: SmallGateway;
let received: Received;
let invoice: InvoiceCreateRequest;

// One real callback, exactly as it was sent.
beforeAll(async () => {
  gateway = await startSmallGateway();
  const { baseUrl, merchant, token } = gateway;
  const shop = await openShop();
  const client = new GatewayClient({ baseUrl, merchantId: merchant.id, token });
  invoice = createBody({
    callback_url: shop.url,
    description: 'Zwölf 😀',
    merchant_data: { cart: '42' },
  }) as InvoiceCreateRequest;
  const { invoice_id: id } = await client.createInvoice(invoice);
  await client.sandbox.pay(id);
  expect(await gateway.deliver()).toEqual({ attempted: 1, delivered: 1 });
  await shop.close();
  received = shop.received[0] as Received;
});
afterAll(() => gateway.close());

const input = (changes: Partial<Parameters<typeof verifyCallback>[0]> = {}) => ({
  body: received.body as string | Uint8Array,
  headers: received.headers,
  secrets: TEST_SECRET as string | string[],
  ...changes,
});

const signedAtMs = () => Number(received.headers['webhook-timestamp']) * 1_000;

describe('a callback of the gateway', () => {
  test('is verified and read', async () => {
    const verified = await verifyCallback(input());
    expect(verified.webhookId).toBe(received.headers['webhook-id']);
    expect(verified.sentAt.getTime()).toBe(signedAtMs());
    expect(verified.invoice).toMatchObject({
      status: 2,
      amount: invoice.amount,
      currency: 'USD',
      description: 'Zwölf 😀',
      merchant_transaction_id: invoice.merchant_transaction_id,
      merchant_data: { cart: '42' },
      extra_data: { provider: 'sandbox' },
    });
  });

  test('is verified from text, an ArrayBuffer, and the Fetch API’s headers', async () => {
    const headers = new Headers(received.headers as { [name: string]: string });
    const bytes = Uint8Array.from(received.body);
    await verifyCallback(input({ body: received.body.toString('utf8'), headers }));
    await verifyCallback(input({ body: bytes.buffer, headers }));
    const shouted = Object.entries(received.headers).map(([name, value]) => [
      name.toUpperCase(),
      value,
    ]);
    await verifyCallback(input({ headers: Object.fromEntries(shouted) }));
  });

  test('is verified by either secret while one is rotated, on either side', async () => {
    await verifyCallback(input({ secrets: [OTHER_SECRET, TEST_SECRET] }));
    const id = String(received.headers['webhook-id']);
    const timestampS = signedAtMs() / 1_000;
    const keys = [signingKey(OTHER_SECRET), signingKey(TEST_SECRET)];
    const both = signature(keys, id, timestampS, received.body);
    const headers = { ...received.headers, 'webhook-signature': both };
    await verifyCallback(input({ headers }));
    await verifyCallback(input({ headers, secrets: OTHER_SECRET }));
  });
});

describe('what is not from the gateway', () => {
  const faulty: [
    what: string,
    fault: CallbackFault,
    changes: () => Partial<Parameters<typeof verifyCallback>[0]>,
  ][] = [
    ['another secret', 'signature_wrong', () => ({ secrets: OTHER_SECRET })],
    ['a byte more', 'signature_wrong', () => ({ body: `${received.body} ` })],
    [
      'a parsed and rewritten body',
      'signature_wrong',
      () => ({
        body: JSON.stringify(JSON.parse(received.body.toString()), null, 1),
      }),
    ],
    [
      'another id',
      'signature_wrong',
      () => ({
        headers: { ...received.headers, 'webhook-id': 'msg_other' },
      }),
    ],
    [
      'a signature of another version',
      'signature_wrong',
      () => ({
        headers: {
          ...received.headers,
          'webhook-signature': String(received.headers['webhook-signature']).replace('v1,', 'v2,'),
        },
      }),
    ],
    [
      'no base64',
      'signature_wrong',
      () => ({
        headers: { ...received.headers, 'webhook-signature': 'v1,%%%' },
      }),
    ],
    [
      'no signature',
      'header_missing',
      () => ({
        headers: { ...received.headers, 'webhook-signature': undefined },
      }),
    ],
    [
      'a time in words',
      'timestamp_malformed',
      () => ({
        headers: { ...received.headers, 'webhook-timestamp': 'now' },
      }),
    ],
    ['five minutes ago and more', 'timestamp_too_old', () => ({ nowMs: signedAtMs() + 300_001 })],
    ['five minutes ahead and more', 'timestamp_too_new', () => ({ nowMs: signedAtMs() - 300_001 })],
    [
      'beyond a tolerance of one’s own',
      'timestamp_too_old',
      () => ({
        nowMs: signedAtMs() + 1_001,
        toleranceMs: 1_000,
      }),
    ],
  ];
  test.each(faulty)('%s: %s', async (_, fault, changes) => {
    await expect(verifyCallback(input(changes()))).rejects.toMatchObject({
      name: 'CallbackNotGenuineError',
      code: 'not_genuine',
      fault,
    });
  });

  test('at the very edge of the tolerance it still counts', async () => {
    await verifyCallback(input({ nowMs: signedAtMs() + 300_000 }));
    await verifyCallback(input({ nowMs: signedAtMs() - 300_000 }));
  });

  test('well signed, and no notification', async () => {
    const body = '{"hello":1}';
    const timestampS = Math.floor(Date.now() / 1_000);
    const headers = {
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(timestampS),
      'webhook-signature': signature(
        [signingKey(TEST_SECRET)],
        'msg_1',
        timestampS,
        Buffer.from(body),
      ),
    };
    await expect(verifyCallback(input({ body, headers }))).rejects.toMatchObject({
      fault: 'body_malformed',
    });
  });
});

test.each(['toleranceMs', 'nowMs'])(
  '%s that is no number lets nothing pass: it is a mistake of the program',
  async (name) => {
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY, -1, '300' as never]) {
      const refused = verifyCallback(input({ [name]: value }));
      await expect(refused).rejects.toThrow(
        new TypeError(`${name} must be a finite number, 0 or more`),
      );
    }
  },
);

test('a secret is taken with the line break of its file and the space beside it', async () => {
  const { invoice: sent } = await verifyCallback(input({ secrets: ` ${TEST_SECRET}\n` }));
  expect(sent.status).toBe(2);
});

test('what cannot be verified says what to look at', async () => {
  const wrong = verifyCallback(input({ secrets: OTHER_SECRET }));
  await expect(wrong).rejects.toThrow(/the secret is another one, or the body is not the raw one/);
  const unheaded = verifyCallback({ ...input(), headers: undefined as never });
  await expect(unheaded).rejects.toThrow(new TypeError('headers must be those of the request'));
});

test('a parsed body and a secret that is none are mistakes of the program, not of the sender', async () => {
  const body = JSON.parse(received.body.toString());
  await expect(verifyCallback(input({ body }))).rejects.toThrow('raw body');
  const secrets = 'whsec_%%secret%%';
  await expect(verifyCallback(input({ secrets }))).rejects.toThrow(TypeError);
  await expect(verifyCallback(input({ secrets }))).rejects.not.toThrow('%%secret%%');
  // Values of an unset variable, which JavaScript does not check.
  for (const none of [undefined, '', ' ', [], ['']] as string[]) {
    const failing = verifyCallback({ ...input({}), secrets: none });
    await expect(failing).rejects.toThrow(new TypeError('secrets is empty or has not been given'));
  }
});
