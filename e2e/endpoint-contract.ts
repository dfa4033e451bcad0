import { expect } from 'vitest';
import { makeSample } from '#server/callbacks/samples.ts';
import { messageId, signature } from '#server/callbacks/sign.ts';
import { tryEndpoint } from '#server/callbacks/try-endpoint.ts';
import { grantTenant } from '#server/merchants/tenant.ts';
import { testContext } from '#server/testing/callbacks.ts';
import type { TestDatabase } from '#server/testing/database.ts';
import type { RestMerchant } from '#server/testing/rest.ts';

const PUBLIC_URL = 'http://pay';
/** Farther from now than a signed time may be. */
const STALE_S = 310;

/**
 * Posts a sample to a receiver here, signed with each of the keys, `ageS` seconds ago.
 *
 * @returns the status of its answer
 */
async function postSigned(
  port: number,
  { keys, ageS = 0 }: { keys: readonly Buffer[]; ageS?: number },
): Promise<number> {
  const now = new Date();
  const { invoiceId, body } = makeSample('PAID', { publicUrl: PUBLIC_URL, now });
  const id = messageId(invoiceId);
  const timestampS = Math.floor(now.getTime() / 1_000) - ageS;
  const headers = {
    'Content-Type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(timestampS),
    'webhook-signature': signature(keys, id, timestampS, body),
  };
  const url = `http://127.0.0.1:${port}/callback`;
  return (await fetch(url, { method: 'POST', headers, body: new Uint8Array(body) })).status;
}

/** What the variable of the secret holds where somebody forgot it; null: there is none. */
export const NO_SECRETS = [null, '', 'whsec_'];

/** Whether a receiver here takes what anybody could sign: with an empty key. */
export async function isForgeryTaken(port: number): Promise<boolean> {
  return (await postSigned(port, { keys: [Buffer.alloc(0)] })) === 200;
}

/**
 * Sends the gateway's own signed samples to a receiver here, one with a wrong signature, one with
 * two signatures as during a rotation, and one that is signed too long ago.
 */
export async function expectItKeepsTheContract(
  { database, merchant }: { database: TestDatabase; merchant: RestMerchant },
  port: number,
): Promise<void> {
  const { sender, keys } = testContext(database.pool);
  const tenant = grantTenant(merchant.id, 'sandbox');
  const now = new Date();
  const report = await tryEndpoint(tenant, {
    sender,
    keys,
    url: `http://127.0.0.1:${port}/callback`,
    publicUrl: PUBLIC_URL,
    now,
    checkSignature: true,
  });
  await sender.close();
  expect(report.samples.map(({ reason }) => reason)).toEqual([null, null, null]);
  expect(report).toMatchObject({ keepsContract: true, refusesWrongSignature: 'kept' });

  const own = await keys.keysOf(tenant.merchantId, tenant.environment, now);
  expect(await postSigned(port, { keys: [Buffer.alloc(32), ...own] })).toBe(200);
  expect(await postSigned(port, { keys: own, ageS: STALE_S })).toBe(401);
  expect(await postSigned(port, { keys: own, ageS: -STALE_S })).toBe(401);
}
