import { openPool } from '#server/db/pool.ts';
import { setMember } from '#server/merchants/members.ts';
import { type OpenedMerchant, openMerchant } from '#server/testing/merchants.ts';
import type { GatewayUnderTest } from '../gateway.ts';

/** A merchant for one journey, so that journeys that run at once see none of each other. */
export async function newShop(
  { databaseUrl }: GatewayUnderTest,
  name: string,
): Promise<OpenedMerchant> {
  const pool = openPool(databaseUrl, 1);
  try {
    return await openMerchant(pool, {
      name,
      ownerEmail: `owner-${crypto.randomUUID().slice(0, 8)}@example.com`,
      actor: { type: 'operator', id: null, label: 'journeys' },
      now: new Date(),
    });
  } finally {
    await pool.end();
  }
}

/** Two merchants with one owner, who begins at the first: they have joined the other long ago. */
export async function twoShops(
  gateway: GatewayUnderTest,
  firstName: string,
  secondName: string,
): Promise<{ first: OpenedMerchant; second: OpenedMerchant }> {
  const first = await newShop(gateway, firstName);
  const second = await newShop(gateway, secondName);
  const pool = openPool(gateway.databaseUrl, 1);
  const { userId } = first.owner;
  await setMember(pool, { merchantId: second.merchantId, userId, role: 'owner', now: new Date(0) });
  await pool.end();
  return { first, second };
}
