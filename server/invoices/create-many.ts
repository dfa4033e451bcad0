import type { Queryable } from '../db/pool.ts';
import { BRIEF_LOCKS } from '../db/rows-fault.ts';
import type { Tenant } from '../merchants/types.ts';
import {
  ARRAY_NAMES,
  ARRAYS,
  arraysOf,
  CREATED_AT_OF_EACH,
  INSERTED,
  PARAMETER_COUNT,
  SELECTED,
} from './columns.ts';
import {
  answerAgain,
  CLAIMED_ANEW,
  type CreateCommand,
  type CreateOutcome,
  type FirstCreate,
  KEY_KEPT_MS,
  UNLESS_USED,
} from './create.ts';

/** A create and its tenant: every row of a batch carries its own. */
export type CreateRow = { tenant: Tenant; command: CreateCommand };

/** The parameters of the keys come after those of the invoices. */
const keyed = (position: number, type: string) => `$${PARAMETER_COUNT + position}::${type}[]`;

// The rows keep the order of the arrays.
const CREATE_MANY = `INSERT INTO invoices (${INSERTED})
  SELECT ${SELECTED} FROM unnest(${ARRAYS}) AS a (${ARRAY_NAMES})
  WHERE ${BRIEF_LOCKS} ${UNLESS_USED} RETURNING id`;

// CREATE_WITH_KEY for many; rows without a key come along. `invoice_order` and `key_order` keep
// batches of several processes from deadlocks: first all keys in their order (the sort below has to
// see every claim first), then all invoices in theirs.
const CREATE_MANY_WITH_KEYS = `
  WITH asked AS MATERIALIZED (
    SELECT * FROM unnest(${ARRAYS}, ${keyed(1, 'text')}, ${keyed(2, 'bytea')}, ${keyed(3, 'bytea')},
      ${keyed(4, 'bytea')}, ${keyed(5, 'int')})
      WITH ORDINALITY AS a (${ARRAY_NAMES}, key, request_hash, values_hash, response_body, key_order, invoice_order)
    WHERE ${BRIEF_LOCKS}
  ), claimed AS (
    INSERT INTO idempotency_keys AS k
      (merchant_id, environment, key, request_hash, values_hash, response_body, invoice_id,
       created_at, expires_at)
    SELECT a.merchant_id, a.environment, a.key, a.request_hash, a.values_hash, a.response_body, a.id,
           ${CREATED_AT_OF_EACH}, ${CREATED_AT_OF_EACH} + interval '${KEY_KEPT_MS} ms'
    FROM asked a WHERE a.key IS NOT NULL ORDER BY a.key_order
    ON CONFLICT (merchant_id, environment, key) DO UPDATE SET ${CLAIMED_ANEW}
      WHERE k.expires_at <= excluded.created_at
    RETURNING k.invoice_id
  ), created AS (
    INSERT INTO invoices (${INSERTED}) SELECT ${SELECTED} FROM asked a
    WHERE a.key IS NULL OR a.id IN (SELECT invoice_id FROM claimed)
    ORDER BY a.invoice_order ${UNLESS_USED} RETURNING id
  )
  SELECT a.id, a.id IN (SELECT invoice_id FROM claimed) AS claimed,
         a.id IN (SELECT id FROM created) AS created, k.request_hash, k.values_hash,
         k.response_body, k.created AS first_created, k.expires_at
  FROM asked a LEFT JOIN LATERAL (
    SELECT k.request_hash, k.values_hash, k.response_body, k.expires_at,
           EXISTS (SELECT FROM invoices i WHERE i.id = k.invoice_id) AS created
    FROM idempotency_keys k
    WHERE k.merchant_id = a.merchant_id AND k.environment = a.environment AND k.key = a.key
      AND k.expires_at > ${CREATED_AT_OF_EACH}
    LIMIT 1) k ON true`;

type Row = {
  id: string;
  claimed: boolean;
  created: boolean;
  request_hash: Buffer | null;
  values_hash: Buffer | null;
  response_body: Buffer | null;
  first_created: boolean | null;
  expires_at: Date | null;
};

const scopeOf = ({ merchantId, environment }: Tenant): string => `${merchantId} ${environment}`;

/** Sorts by a text and keeps the order of equal texts: the same order in every process. */
function sortedBy(rows: readonly CreateRow[], textOf: (row: CreateRow) => string): CreateRow[] {
  const named = rows.map((row) => ({ row, text: textOf(row) }));
  named.sort((a, b) => {
    if (a.text === b.text) return 0;
    return a.text < b.text ? -1 : 1;
  });
  return named.map(({ row }) => row);
}

const transactionOf = ({ tenant, command }: CreateRow): string =>
  `${scopeOf(tenant)} ${command.invoice.merchantTransactionId}`;

const keyOf = ({ tenant, command }: CreateRow): string | null =>
  command.idempotency && `${scopeOf(tenant)} ${command.idempotency.key}`;

async function createWithoutKeys(
  db: Queryable,
  rows: readonly CreateRow[],
): Promise<CreateOutcome[]> {
  const { rows: created } = await db.query<{ id: string }>({
    name: 'create_invoices',
    text: CREATE_MANY,
    values: arraysOf(sortedBy(rows, transactionOf)),
  });
  const ids = new Set(created.map(({ id }) => id));
  return rows.map(({ command }) => ({ outcome: ids.has(command.id) ? 'created' : 'duplicate' }));
}

/** The first create with a key after this statement; `goodUntilMs` comes from its row. */
type Known = FirstCreate & { goodUntilMs: number };

function firstAfter(row: Row, { command }: CreateRow): Known | null {
  const { idempotency, createdAt } = command;
  if (row.claimed && idempotency) {
    const goodUntilMs = createdAt.getTime() + KEY_KEPT_MS;
    return { ...idempotency, created: row.created, goodUntilMs };
  }
  if (!row.request_hash || !row.response_body || !row.expires_at) return null;
  return {
    requestHash: row.request_hash,
    valuesHash: row.values_hash,
    responseBody: row.response_body,
    created: row.first_created === true,
    goodUntilMs: row.expires_at.getTime(),
  };
}

async function runWithKeys(
  db: Queryable,
  rows: readonly CreateRow[],
): Promise<ReadonlyMap<string, Row>> {
  const keyOrder = new Map(sortedBy(rows, (row) => keyOf(row) ?? '').map((row, at) => [row, at]));
  const sorted = sortedBy(rows, transactionOf);
  const given = sorted.map(({ command }) => command.idempotency);
  const { rows: results } = await db.query<Row>({
    name: 'create_invoices_with_keys',
    text: CREATE_MANY_WITH_KEYS,
    values: [
      ...arraysOf(sorted),
      given.map((each) => each?.key ?? null),
      given.map((each) => each?.requestHash ?? null),
      given.map((each) => each?.valuesHash ?? null),
      given.map((each) => each?.responseBody ?? null),
      sorted.map((row) => keyOrder.get(row)),
    ],
  });
  return new Map(results.map((row) => [row.id, row]));
}

async function createWithKeys(
  db: Queryable,
  rows: readonly CreateRow[],
): Promise<(CreateOutcome | undefined)[]> {
  // The first of several creates with one key goes to the database; its result answers the others,
  // as if they had come after.
  const firsts = new Map<string, CreateRow>();
  const sent = rows.filter((row) => {
    const key = keyOf(row);
    if (key === null) return true;
    if (firsts.has(key)) return false;
    firsts.set(key, row);
    return true;
  });
  const results = await runWithKeys(db, sent);
  return rows.map((row) => {
    const { id, idempotency, createdAt } = row.command;
    const key = keyOf(row);
    const leader = key === null ? row : (firsts.get(key) ?? row);
    const result = results.get(leader.command.id);
    if (!result) throw new Error('a create was not answered by its statement');
    if (!idempotency) return { outcome: result.created ? 'created' : 'duplicate' };
    if (result.id === id && result.claimed) {
      return { outcome: result.created ? 'created' : 'duplicate' };
    }
    const first = firstAfter(result, leader);
    // Another process claimed the key between this statement's snapshot and its insert, or the
    // key's day ended between two rows of the batch.
    if (!first || first.goodUntilMs <= createdAt.getTime()) return undefined;
    return answerAgain(first, idempotency);
  });
}

/**
 * Creates several invoices of any tenants: one statement, one commit, and for each row the answer
 * of `createInvoice` as if they had come one after the other.
 *
 * @returns the outcomes in the order of the rows; undefined where a row changed nothing and has to
 *   be tried alone
 */
export function createInvoices(
  db: Queryable,
  rows: readonly CreateRow[],
): Promise<(CreateOutcome | undefined)[]> {
  const hasKeys = rows.some(({ command }) => command.idempotency !== null);
  return hasKeys ? createWithKeys(db, rows) : createWithoutKeys(db, rows);
}
