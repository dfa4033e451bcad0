import { setTimeout as sleep } from 'node:timers/promises';
import type { Queryable } from '../db/pool.ts';
import { CLAIMED_ANEW, KEY_KEPT_MS } from '../invoices/create.ts';
import type { GatewayError } from '../lib/errors.ts';
import type { Tenant } from '../merchants/types.ts';

/** A request's Idempotency-Key, and the hash of the values that it came with. */
export type AnswerKey = {
  key: string;
  valuesHash: Buffer;
  /** The answer to a request that is refused. */
  refusalBody: (refusal: GatewayError) => Buffer;
};

type Named = Pick<AnswerKey, 'key'>;

// The bytes of an answer that is not written yet.
const UNANSWERED = Buffer.alloc(0);
const LOOK_MS = 100;
/** Longer than the first request waits for the acquirer. */
const WAIT_MS = 10_000;

/**
 * Claims a key for a request, in its transaction: of two at once, the second waits and then finds it
 * claimed. It shares the table of the creates' keys, and one key is for one request of either kind.
 *
 * @returns false when a request within the last 24 hours has claimed it
 */
export async function claimKey(
  db: Queryable,
  { merchantId, environment }: Tenant,
  { key, valuesHash }: AnswerKey,
  now: Date,
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'claim_refund_key',
    text: `
      INSERT INTO idempotency_keys AS k
        (merchant_id, environment, key, request_hash, values_hash, response_body, invoice_id,
         created_at, expires_at)
      VALUES ($1, $2::environment, $3, $4, $4, $5, '', $6, $6::timestamptz + interval '${KEY_KEPT_MS} ms')
      ON CONFLICT (merchant_id, environment, key) DO UPDATE SET ${CLAIMED_ANEW}
        WHERE k.expires_at <= $6
      RETURNING 1`,
    values: [merchantId, environment, key, valuesHash, UNANSWERED, now.toISOString()],
  });
  return rowCount === 1;
}

/** Notes the refund of a claimed key, in the transaction that wrote both. */
export async function bindKey(
  db: Queryable,
  { merchantId, environment }: Tenant,
  { key }: Named,
  refundId: string,
): Promise<void> {
  await db.query(
    `UPDATE idempotency_keys SET invoice_id = $4
     WHERE merchant_id = $1 AND environment = $2::environment AND key = $3`,
    [merchantId, environment, key, refundId],
  );
}

/**
 * Keeps the first answer to a key.
 *
 * @returns the kept bytes: another process may have answered first
 */
export async function keepFirstAnswer(
  db: Queryable,
  { merchantId, environment }: Tenant,
  { key }: Named,
  answer: Buffer,
): Promise<Buffer> {
  const { rows } = await db.query<{ response_body: Buffer }>({
    name: 'keep_first_refund_answer',
    text: `
      UPDATE idempotency_keys
      SET response_body = CASE WHEN response_body = $5 THEN $4::bytea ELSE response_body END
      WHERE merchant_id = $1 AND environment = $2::environment AND key = $3
      RETURNING response_body`,
    values: [merchantId, environment, key, answer, UNANSWERED],
  });
  return rows[0]?.response_body ?? answer;
}

type FirstRow = { values_hash: Buffer | null; response_body: Buffer; invoice_id: string };

/**
 * The first answer to a key, for which a repeat waits while its request is still at work.
 *
 * @returns `key_reused` when the key came with other values; the refund's id when the process that
 *   made it has died before it answered
 */
export async function readFirstAnswer(
  db: Queryable,
  { merchantId, environment }: Tenant,
  { key, valuesHash }: Pick<AnswerKey, 'key' | 'valuesHash'>,
): Promise<Buffer | 'key_reused' | { refundId: string }> {
  for (let waitedMs = 0; ; waitedMs += LOOK_MS) {
    const { rows } = await db.query<FirstRow>({
      name: 'first_refund_answer',
      text: `SELECT values_hash, response_body, invoice_id FROM idempotency_keys
             WHERE merchant_id = $1 AND environment = $2::environment AND key = $3`,
      values: [merchantId, environment, key],
    });
    const [row] = rows;
    if (!row?.values_hash?.equals(valuesHash)) return 'key_reused';
    if (row.response_body.length > 0) return row.response_body;
    if (waitedMs >= WAIT_MS) return { refundId: row.invoice_id };
    await sleep(LOOK_MS);
  }
}
