import { expect } from 'vitest';
import { tryEndpoint } from '#server/callbacks/try-endpoint.ts';
import { grantTenant } from '#server/merchants/tenant.ts';
import { testContext } from '#server/testing/callbacks.ts';
import type { TestDatabase } from '#server/testing/database.ts';
import type { RestMerchant } from '#server/testing/rest.ts';

/** Sends the gateway's own signed samples to a receiver here, and one with a wrong signature. */
export async function expectItKeepsTheContract(
  { database, merchant }: { database: TestDatabase; merchant: RestMerchant },
  port: number,
): Promise<void> {
  const { sender, keys } = testContext(database.pool);
  const report = await tryEndpoint(grantTenant(merchant.id, 'sandbox'), {
    sender,
    keys,
    url: `http://127.0.0.1:${port}/callback`,
    publicUrl: 'http://pay',
    now: new Date(),
    checkSignature: true,
  });
  await sender.close();
  expect(report.samples.map(({ reason }) => reason)).toEqual([null, null, null]);
  expect(report).toMatchObject({ keepsContract: true, refusesWrongSignature: 'kept' });
}
