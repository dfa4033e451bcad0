import type { Queryable } from '../../db/pool.ts';
import type { Tenant } from '../../merchants/types.ts';

/** Counting stops here: more would be no worse. */
export const ATTENTION_COUNTED_TO = 1_000;

/** The number of callbacks that have used up their attempts and wait for staff, at most 1,000. */
export async function countExhausted(db: Queryable, tenant: Tenant): Promise<number> {
  const { rows } = await db.query<{ exhausted: number }>({
    name: 'callbacks_exhausted',
    text: `SELECT count(*)::int AS exhausted FROM (SELECT FROM callbacks
             WHERE merchant_id = $1::text AND environment = $2::environment
               AND state = 'exhausted' LIMIT ${ATTENTION_COUNTED_TO}) c`,
    values: [tenant.merchantId, tenant.environment],
  });
  return rows[0]?.exhausted ?? 0;
}
