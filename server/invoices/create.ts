import type { Queryable } from '../db/pool.ts';
import type { Tenant } from '../merchants/types.ts';
import {
  CREATED_AT,
  type CreatedInvoice,
  INSERTED,
  PARAMETER_COUNT,
  VALUES,
  valuesOf,
} from './columns.ts';

/** The hashes that tell a request from others under its key. */
export type RequestHashes = {
  /** The hash of its bytes, stored for the version before, which may run beside this one. */
  requestHash: Buffer;
  /** The hash of its values: two bodies with the same content share it. */
  valuesHash: Buffer;
};

/** `newId('inv', …)` makes the id first, so that the insert can store the answer's bytes. */
export type CreateCommand = CreatedInvoice & {
  /** Present when the caller sent an Idempotency-Key. */
  idempotency: ({ key: string; responseBody: Buffer } & RequestHashes) | null;
};

/** The outcome of a full or partial repetition of an earlier create. */
export type RepeatOutcome =
  /** The merchant_transaction_id already exists. */
  | { outcome: 'duplicate' }
  /** The key was used with the same values: the first answer, byte for byte. */
  | { outcome: 'replayed'; responseBody: Buffer }
  /** The key was used with other values. */
  | { outcome: 'key_reused' };

export type CreateOutcome = { outcome: 'created' } | RepeatOutcome;

export const UNLESS_USED =
  'ON CONFLICT (merchant_id, environment, merchant_transaction_id) DO NOTHING';

// It returns no row: the number inserted is enough, and a row costs both sides time.
const CREATE = `INSERT INTO invoices (${INSERTED}) VALUES (${VALUES}) ${UNLESS_USED}`;

/** The first create with a key, while its answer is kept; by parameters' numbers and the time. */
const firstWith = (merchant: number, environment: number, key: number, now: string): string => `
    SELECT k.request_hash, k.values_hash, k.response_body,
           EXISTS (SELECT FROM invoices i WHERE i.id = k.invoice_id) AS created
    FROM idempotency_keys k
    WHERE k.merchant_id = $${merchant}::text AND k.environment = $${environment}::environment
      AND k.key = $${key}::text AND k.expires_at > ${now}`;
/** The time for which the answer to a create with an idempotency key is kept. */
export const KEY_KEPT_MS = 86_400_000;

/** The values that a claim writes over a key whose day is over. */
export const CLAIMED_ANEW = `request_hash = excluded.request_hash, values_hash = excluded.values_hash,
      response_body = excluded.response_body, invoice_id = excluded.invoice_id,
      created_at = excluded.created_at, expires_at = excluded.expires_at`;

/** The parameters of a key come after those of the invoice. */
const keyed = (position: number, type: string) => `$${PARAMETER_COUNT + position}::${type}`;

const FIND_FIRST = firstWith(1, 2, 3, '$4::timestamptz');

// The key is claimed first and the invoice depends on the claim, so that two creates with one key
// cannot both make one. A key whose invoice was refused (409) stays: a replay knows this by the
// missing invoice.
const CREATE_WITH_KEY = `
  WITH first AS (${firstWith(2, 3, PARAMETER_COUNT + 1, CREATED_AT)}
  ), claimed AS (
    INSERT INTO idempotency_keys AS k
      (merchant_id, environment, key, request_hash, values_hash, response_body, invoice_id,
       created_at, expires_at)
    VALUES ($2::text, $3::environment, ${keyed(1, 'text')}, ${keyed(2, 'bytea')}, ${keyed(3, 'bytea')},
            ${keyed(4, 'bytea')}, $1::text,
            ${CREATED_AT}, ${CREATED_AT} + interval '${KEY_KEPT_MS} ms')
    ON CONFLICT (merchant_id, environment, key) DO UPDATE SET ${CLAIMED_ANEW}
      WHERE k.expires_at <= ${CREATED_AT}
    RETURNING 1
  ), created AS (
    INSERT INTO invoices (${INSERTED}) SELECT ${VALUES} WHERE EXISTS (SELECT FROM claimed) ${UNLESS_USED}
    RETURNING id
  )
  SELECT EXISTS (SELECT FROM claimed) AS claimed, EXISTS (SELECT FROM created) AS created,
         first.request_hash, first.values_hash, first.response_body, first.created AS first_created
  FROM (SELECT) one LEFT JOIN first ON true`;

type KeyedRow = {
  claimed: boolean;
  created: boolean;
  request_hash: Buffer | null;
  values_hash: Buffer | null;
  response_body: Buffer | null;
  first_created: boolean | null;
};

/** The first create with a key, from its row. */
export type FirstCreate = {
  requestHash: Buffer;
  /** Null if the version before stored it. */
  valuesHash: Buffer | null;
  responseBody: Buffer;
  created: boolean;
};

/** The answer to a later create with the same key. */
export function answerAgain(first: FirstCreate, hashes: RequestHashes): RepeatOutcome {
  const isSame =
    first.requestHash.equals(hashes.requestHash) || first.valuesHash?.equals(hashes.valuesHash);
  if (!isSame) return { outcome: 'key_reused' };
  if (!first.created) return { outcome: 'duplicate' };
  return { outcome: 'replayed', responseBody: first.responseBody };
}

/**
 * The first create's answer to a create with its key, kept for 24 hours; null without one. It
 * serves a body that only the clock has made invalid: its `end_date` has passed since.
 */
export async function findFirst(
  db: Queryable,
  tenant: Tenant,
  { key, hashes, now }: { key: string; hashes: RequestHashes; now: Date },
): Promise<RepeatOutcome | null> {
  const { rows } = await db.query<{
    request_hash: Buffer;
    values_hash: Buffer | null;
    response_body: Buffer;
    created: boolean;
  }>(FIND_FIRST, [tenant.merchantId, tenant.environment, key, now.toISOString()]);
  const row = rows[0];
  if (!row) return null;
  const first = {
    requestHash: row.request_hash,
    valuesHash: row.values_hash,
    responseBody: row.response_body,
    created: row.created,
  };
  return answerAgain(first, hashes);
}

// A second look is needed only when another create with the same key committed between this
// statement's snapshot and its insert; its row then exists.
const LOOKS = 3;

async function createWithKey(
  db: Queryable,
  tenant: Tenant,
  command: CreateCommand,
  idempotency: NonNullable<CreateCommand['idempotency']>,
): Promise<CreateOutcome> {
  const { key, requestHash, valuesHash, responseBody } = idempotency;
  const values = [...valuesOf(tenant, command), key, requestHash, valuesHash, responseBody];
  for (let look = 0; look < LOOKS; look++) {
    const { rows } = await db.query<KeyedRow>({
      name: 'create_invoice_with_key',
      text: CREATE_WITH_KEY,
      values,
    });
    const row = rows[0];
    if (row?.claimed) return { outcome: row.created ? 'created' : 'duplicate' };
    if (row?.request_hash && row.response_body) {
      const first = {
        requestHash: row.request_hash,
        valuesHash: row.values_hash,
        responseBody: row.response_body,
        created: row.first_created === true,
      };
      return answerAgain(first, idempotency);
    }
  }
  throw new Error(`idempotency key neither claimed nor found after ${LOOKS} looks`);
}

/**
 * Creates an invoice: one statement, one round trip.
 *
 * `merchant_transaction_id` is unique for a merchant and environment; exactly one of two at once is
 * created. With an idempotency key the same statement keeps the first answer for 24 hours, so that
 * a lost answer never loses the invoice.
 */
export async function createInvoice(
  db: Queryable,
  tenant: Tenant,
  command: CreateCommand,
): Promise<CreateOutcome> {
  if (command.idempotency) return createWithKey(db, tenant, command, command.idempotency);
  const { rowCount } = await db.query({
    name: 'create_invoice',
    text: CREATE,
    values: valuesOf(tenant, command),
  });
  return { outcome: rowCount === 1 ? 'created' : 'duplicate' };
}
