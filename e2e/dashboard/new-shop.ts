import { openPool } from '#server/db/pool.ts';
import { createMerchant, type NewMerchant } from '#server/merchants/mutations.ts';
import type { GatewayUnderTest } from '../gateway.ts';

/** A merchant for one journey, so that journeys that run at once see none of each other. */
export async function newShop(
  { databaseUrl }: GatewayUnderTest,
  name: string,
): Promise<NewMerchant> {
  const pool = openPool(databaseUrl, 1);
  try {
    return await createMerchant(pool, {
      name,
      ownerEmail: `owner-${crypto.randomUUID().slice(0, 8)}@example.com`,
      actor: { type: 'operator', id: null, label: 'journeys' },
      now: new Date(),
    });
  } finally {
    await pool.end();
  }
}
