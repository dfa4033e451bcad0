import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { grantTenant } from '../../merchants/tenant.ts';
import {
  ACCEPT,
  type Answer,
  openShop,
  type Received,
  TEST_SECRET,
  testContext,
} from '../../testing/callbacks.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database/database.ts';
import { invoiceCallbackRequest } from '../../wire/callback.ts';
import { invoiceEvent, refundEvent } from '../../wire/sent-event.ts';
import type { ResolvedAddress } from '../http/connector.ts';
import { createSender } from '../http/send.ts';
import type { CallbackKind } from '../types.ts';
import { SAMPLE_EVENTS, SAMPLE_STATUSES } from './samples.ts';
import { tryEndpoint } from './try-endpoint.ts';

const NOW = new Date();
const tenant = grantTenant('mer_1', 'sandbox');

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

type Trial = { kind?: CallbackKind; checkSignature?: boolean; timeoutMs?: number };

async function tryUrl(url: string, more: Trial = {}) {
  const context = testContext(database.pool, { timeoutMs: more.timeoutMs });
  const publicUrl = 'https://pay.example';
  const { sender, keys } = context;
  const checkSignature = more.checkSignature ?? false;
  const report = await tryEndpoint(tenant, {
    sender,
    keys,
    url,
    publicUrl,
    now: NOW,
    kind: more.kind,
    checkSignature,
  });
  await sender.close();
  return report;
}

async function tryShop(answer: Answer, more: Trial = {}) {
  const shop = await openShop(answer);
  const report = await tryUrl(shop.url, more);
  await shop.close();
  return { report, received: shop.received };
}

function points({ samples }: Awaited<ReturnType<typeof tryUrl>>) {
  const [{ reached, inTime, httpOk, json, success, sameAnswer } = {}] = samples;
  return { reached, inTime, httpOk, json, success, sameAnswer };
}

function isSigned({ headers, body }: Received): boolean {
  try {
    new Webhook(TEST_SECRET).verify(body.toString(), headers as Record<string, string>);
    return true;
  } catch {
    return false;
  }
}

const KEPT = {
  reached: 'kept',
  inTime: 'kept',
  httpOk: 'kept',
  json: 'kept',
  success: 'kept',
  sameAnswer: 'kept',
};
const say =
  (status: number, text: string): Answer =>
  (response) => {
    response.statusCode = status;
    response.end(text);
  };

describe('tryEndpoint', () => {
  test('sends each status twice, signed, in the contract’s form, and recognisable', async () => {
    const { report, received } = await tryShop(ACCEPT);
    expect(report).toMatchObject({ keepsContract: true, refusesWrongSignature: null });
    expect(points(report)).toEqual(KEPT);
    expect(received).toHaveLength(6);
    expect(received.every(isSigned)).toBe(true);
    const bodies = received.map(({ body }) =>
      invoiceCallbackRequest.parse(JSON.parse(String(body))),
    );
    expect(bodies.map(({ status }) => status).sort()).toEqual([2, 2, 3, 3, 4, 4]);
    for (const [i, { headers }] of received.entries()) {
      expect(headers['webhook-id']).toMatch(/^msg_test_\w+$/);
      expect(bodies[i]?.invoice_id).toBe(`inv_${String(headers['webhook-id']).slice(4)}`);
      expect(bodies[i]?.merchant_data).toMatchObject({ test: true });
    }
    expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(3);
  });

  test('tells an endpoint that verifies what a parser has made of the body', async () => {
    const { report } = await tryShop((response, received, nth) => {
      const body = Buffer.from(JSON.stringify(JSON.parse(String(received.body))));
      if (isSigned({ ...received, body })) ACCEPT(response, received, nth);
      else say(401, '')(response, received, nth);
    });
    expect(report.keepsContract).toBe(false);
  });

  test.each<[string, Answer, object]>([
    ['201', say(201, '{"success":true}'), { ...KEPT, httpOk: 'broken' }],
    ['no JSON', say(200, 'OK'), { ...KEPT, json: 'broken', success: 'unknown' }],
    ['"true"', say(200, '{"success":"true"}'), { ...KEPT, success: 'broken' }],
    [
      'another answer to the second delivery',
      (response, { headers }, nth) =>
        nth <= 3 && headers
          ? say(200, '{"success":true}')(response, {} as Received, nth)
          : say(409, '{}')(response, {} as Received, nth),
      { ...KEPT, sameAnswer: 'broken' },
    ],
    [
      'a cut connection',
      (response) => response.socket?.destroy(),
      {
        reached: 'kept',
        inTime: 'unknown',
        httpOk: 'unknown',
        json: 'unknown',
        success: 'unknown',
        sameAnswer: 'unknown',
      },
    ],
  ])('names the point that %s breaks', async (_, answer, expected) => {
    const { report } = await tryShop(answer);
    expect(points(report)).toEqual(expected);
    expect(report.keepsContract).toBe(false);
  });

  test('says how the second delivery was answered, where it was another way', async () => {
    const { report } = await tryShop((response, received, nth) =>
      say(nth <= 3 ? 200 : 409, '{"success":true}')(response, received, nth),
    );
    expect(report.samples.map(({ reason, reasonAgain }) => [reason, reasonAgain])).toEqual(
      SAMPLE_STATUSES.map(() => [null, 'answered 409, not 200']),
    );
    const { report: steady } = await tryShop(say(500, '{}'));
    expect(steady.samples[0]?.reasonAgain).toBeNull();
  });

  test('an answer that never ends is late', async () => {
    const { report } = await tryShop((response) => response.write('{'), { timeoutMs: 200 });
    expect(points(report)).toMatchObject({ reached: 'kept', inTime: 'broken', json: 'unknown' });
    expect(report.samples[0]?.reason).toContain('no complete answer');
  });

  test('a closed port is told, and nothing is asked twice', async () => {
    const report = await tryUrl('http://127.0.0.1:1/');
    expect(points(report)).toMatchObject({
      reached: 'broken',
      inTime: 'unknown',
      sameAnswer: 'unknown',
    });
    expect(report.samples.map(({ reason }) => reason)).toEqual(
      SAMPLE_STATUSES.map(() => 'connection refused'),
    );
  });

  test('a name that leads inside is told in the words of one that does not exist', async () => {
    const shop = await openShop();
    const { keys } = testContext(database.pool);
    const reportOn = async (found: ResolvedAddress[]) => {
      const resolve = () =>
        found.length > 0
          ? Promise.resolve(found)
          : Promise.reject(Object.assign(new Error('x'), { code: 'ENOTFOUND' }));
      const sender = createSender({ network: 'public', resolve, clock: () => NOW });
      const url = shop.url.replace('127.0.0.1', 'intranet.example');
      const trial = { sender, keys, url, publicUrl: '', now: NOW, checkSignature: true };
      const report = await tryEndpoint(tenant, trial);
      await sender.close();
      // Ids, bodies and times differ between samples.
      const samples = report.samples.map((each) => ({
        ...each,
        ...{ messageId: '', body: '', durationMs: 0 },
      }));
      return { ...report, samples };
    };
    const unknown = await reportOn([]);
    expect(unknown.samples[0]?.reason).toContain('not found, or does not lead to a public address');
    for (const address of ['127.0.0.1', '10.0.0.7', '169.254.169.254']) {
      expect(await reportOn([{ address, family: 4 }])).toEqual(unknown);
    }
    expect(shop.received).toEqual([]);
  });

  test('where the gateway runs for real, an inner address is never called', async () => {
    const shop = await openShop();
    const sender = createSender({ network: 'public', clock: () => NOW });
    const { keys } = testContext(database.pool);
    const trial = { sender, keys, publicUrl: '', now: NOW, checkSignature: true };
    const report = await tryEndpoint(tenant, { ...trial, url: shop.url });
    await sender.close();
    await shop.close();
    expect(shop.received).toEqual([]);
    expect(report).toMatchObject({ keepsContract: false, refusesWrongSignature: 'unknown' });
    expect(report.samples[0]).toMatchObject({ failure: 'address_refused', answer: null });
    expect(report.samples[0]?.reason).toContain('not a public one');
  });

  test('a wrong signature that is taken is told, one that is refused as well', async () => {
    const careless = await tryShop(ACCEPT, { checkSignature: true });
    expect(careless.report).toMatchObject({ keepsContract: true, refusesWrongSignature: 'broken' });
    expect(careless.received.filter((each) => !isSigned(each))).toHaveLength(1);
    const careful = await tryShop(
      (response, received, nth) =>
        (isSigned(received) ? ACCEPT : say(401, '{}'))(response, received, nth),
      { checkSignature: true },
    );
    expect(careful.report).toMatchObject({ keepsContract: true, refusesWrongSignature: 'kept' });
    const broken = await tryShop(say(500, '{}'), { checkSignature: true });
    expect(broken.report.refusesWrongSignature).toBe('unknown');
  });
});

test('samples of events are taken by any 2xx, each twice, and signed', async () => {
  const { report, received } = await tryShop((response) => response.writeHead(204).end(), {
    kind: 'event',
    checkSignature: true,
  });
  expect(report).toMatchObject({ keepsContract: true, refusesWrongSignature: 'broken' });
  expect(report.samples.map(({ of }) => of)).toEqual(SAMPLE_EVENTS);
  expect(points(report)).toEqual({
    reached: 'kept',
    inTime: 'kept',
    httpOk: 'kept',
    json: 'unknown',
    success: 'unknown',
    sameAnswer: 'kept',
  });
  expect(received.filter(isSigned)).toHaveLength(6);
  for (const { headers, body } of received) {
    const { type, data } = JSON.parse(String(body));
    const schema = type.startsWith('refund.') ? refundEvent : invoiceEvent;
    expect(schema.parse(JSON.parse(String(body)))).toMatchObject({ type });
    expect(data.invoice_id).toMatch(/^inv_test_/);
    expect(headers['webhook-id']).toMatch(/^evt_\w+_test_/);
  }
  const refused = await tryShop((response) => response.writeHead(302).end(), { kind: 'event' });
  expect(refused.report.keepsContract).toBe(false);
  expect(points(refused.report)).toMatchObject({ httpOk: 'broken', success: 'unknown' });
});
