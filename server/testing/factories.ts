import { randomUUID } from 'node:crypto';
import type { Queryable } from '../db/pool.ts';
import { grantTenant } from '../merchants/tenant.ts';
import { ENVIRONMENTS, type Environment, type Tenant } from '../merchants/types.ts';

export type MerchantFixture = { id: string } & Record<Environment, { tenant: Tenant }>;

/** A merchant for this test. */
export async function createMerchantFixture(db: Queryable): Promise<MerchantFixture> {
  const id = `mer_${randomUUID()}`;
  await db.query('INSERT INTO merchants (id, name) VALUES ($1, $2)', [id, 'Test merchant']);
  const [sandbox, production] = ENVIRONMENTS.map((each) => ({ tenant: grantTenant(id, each) }));
  if (!sandbox || !production) throw new Error('an environment is missing');
  return { id, sandbox, production };
}
