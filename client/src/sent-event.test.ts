import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SmallGateway, startSmallGateway } from '../../e2e/small-gateway.ts';
import { setEventAddress } from '../../server/events/address.ts';
import { SENT_EVENT_TYPES } from '../../server/events/types.ts';
import { grantTenant } from '../../server/merchants/tenant.ts';
import { openShop, type Received, TEST_SECRET } from '../../server/testing/callbacks.ts';
import { createBody } from '../../server/testing/rest.ts';
import { invoiceEvent, refundEvent } from '../../server/wire/sent-event.ts';
import { verifyCallback, verifyEvent } from './callback.ts';
import { GatewayClient } from './client.ts';
import type { InvoiceCreateRequest } from './contract.ts';

let gateway: SmallGateway;
let refundId: string;
let invoiceId: string;
const events: Received[] = [];

// Real events, exactly as they were sent.
beforeAll(async () => {
  gateway = await startSmallGateway();
  const { baseUrl, merchant, token, database } = gateway;
  const shop = await openShop();
  const other = await openShop((response) => response.writeHead(204).end());
  await setEventAddress(database.pool, grantTenant(merchant.id, 'sandbox'), {
    url: other.url,
    types: SENT_EVENT_TYPES,
    network: 'local',
    actor: { type: 'operator', id: null, label: 'gateway command' },
    now: new Date(),
  });
  const client = new GatewayClient({ baseUrl, merchantId: merchant.id, token });
  const order = createBody({ callback_url: shop.url }) as InvoiceCreateRequest;
  invoiceId = (await client.createInvoice(order)).invoice_id;
  await client.sandbox.pay(invoiceId);
  await database.pool.query(
    `UPDATE api_tokens SET scopes = scopes || 'refunds.write'::text WHERE merchant_id = $1`,
    [merchant.id],
  );
  const refund = { invoice_id: invoiceId, refund_transaction_id: 'r-1', amount: 5 };
  refundId = (await client.refund(refund)).refund_id;
  expect(await gateway.deliver()).toEqual({ attempted: 4, delivered: 4 });
  await Promise.all([shop.close(), other.close()]);
  expect(shop.received).toHaveLength(1);
  events.push(...other.received);
});
afterAll(() => gateway.close());

function sent(type: string): Received {
  const found = events.find(({ body }) => JSON.parse(String(body)).type === type);
  if (!found) throw new Error(`no ${type} was sent`);
  return found;
}

test('an event is verified and read, and its type tells what it has', async () => {
  const { body, headers } = sent('refund.succeeded');
  const { webhookId, event } = await verifyEvent({ body, headers, secrets: TEST_SECRET });
  expect(webhookId).toBe(`evt_succeeded_${refundId.slice(4)}`);
  if (event.type !== 'refund.succeeded') throw new Error(event.type);
  expect(event.data).toMatchObject({ refund_id: refundId, invoice_id: invoiceId, amount: 5 });
  const paid = sent('invoice.paid');
  const verified = await verifyEvent({ ...paid, secrets: [TEST_SECRET] });
  expect(verified.event).toMatchObject({ type: 'invoice.paid', data: { status: 2 } });
});

test('what is sent has the form that the reference shows', () => {
  for (const { body } of events) {
    const event = JSON.parse(String(body));
    const schema = event.type.startsWith('refund.') ? refundEvent : invoiceEvent;
    expect(schema.parse(event)).toEqual(event);
  }
  expect(events).toHaveLength(3);
});

test('a forged or changed event is not taken, nor an event for a callback', async () => {
  const { body, headers } = sent('refund.succeeded');
  const forged = { body, headers, secrets: `whsec_${Buffer.alloc(32, 9).toString('base64')}` };
  await expect(verifyEvent(forged)).rejects.toMatchObject({ fault: 'signature_wrong' });
  const changed = { body: String(body).replace('5', '6'), headers, secrets: TEST_SECRET };
  await expect(verifyEvent(changed)).rejects.toMatchObject({ fault: 'signature_wrong' });
  await expect(verifyCallback({ body, headers, secrets: TEST_SECRET })).rejects.toMatchObject({
    fault: 'body_malformed',
  });
});
