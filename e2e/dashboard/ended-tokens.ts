import { openPool } from '#server/db/pool.ts';
import type { OpenedMerchant } from '#server/testing/merchants.ts';
import type { GatewayUnderTest } from '../gateway.ts';

/** This number is typical of a merchant who rotates every few weeks. */
export async function addEndedTokens(
  { databaseUrl }: GatewayUnderTest,
  { merchantId }: OpenedMerchant,
  count: number,
): Promise<void> {
  const pool = openPool(databaseUrl, 1);
  await pool.query(
    `INSERT INTO api_tokens (id, merchant_id, environment, name, prefix, token_hash, created_at, deactivated_at)
     SELECT $1 || '_ended_' || n, $1, 'sandbox', 'Server ' || n, 'gw_sandbox_xxxx', sha256(($1 || n)::bytea),
            now() - n * interval '40 days', now() - n * interval '30 days'
     FROM generate_series(1, $2::int) n`,
    [merchantId, count],
  );
  await pool.end();
}
