import type { Queryable } from '../db/pool.ts';
import {
  type AuditRow,
  type AuditSpan,
  conditionsOn,
  pageOf,
  STORED_ENTRY,
  type StoredEntry,
  toAuditRow,
} from '../merchants/audit-rows.ts';
import type { Environment } from '../merchants/types.ts';

/** What an operator did, at the dashboard or by the command. Times in milliseconds. */
export type OperatorDeed = AuditRow & {
  merchant: { id: string; name: string } | null;
  /** Null where it concerns both environments, or none. */
  environment: Environment | null;
};

export type DeedFilter = AuditSpan & {
  /** The operator's address, or the command with its account; null for everybody. */
  operator: string | null;
  action: string | null;
  /** A merchant's id or a part of its name; null for all, and for deeds without one. */
  merchant: string | null;
};

type Row = StoredEntry & {
  environment: Environment | null;
  merchant_id: string | null;
  merchant_name: string | null;
};

const MERCHANTS_OF_A_NAME = 100;

/** The merchants that a text means: one by its id, or those with it in their name. */
async function merchantIds(db: Queryable, text: string): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `SELECT id FROM merchants
     WHERE id = $1 OR normalize(name, NFKC) ILIKE '%' || $2 || '%' ORDER BY id LIMIT $3`,
    [text.trim(), text.trim().replace(/[\\%_]/g, '\\$&'), MERCHANTS_OF_A_NAME],
  );
  return rows.map(({ id }) => id);
}

// A deed on a person is told to each of their merchants; among all deeds it stands once.
const IS_FIRST = `NOT EXISTS (
  SELECT FROM audit_log o
  WHERE a.target_type = 'user' AND o.target_id = a.target_id AND o.id < a.id AND o.at = a.at
    AND o.actor_type = 'operator' AND o.action = a.action AND o.actor_label = a.actor_label)`;

/** The filter's conditions on an entry `a`. */
async function conditions(
  db: Queryable,
  filter: DeedFilter,
): Promise<{ where: string; values: unknown[] }> {
  const { parts, values, add } = conditionsOn(filter);
  parts.push(`a.actor_type = 'operator'`);
  if (filter.operator !== null) add('a.actor_label = ?', filter.operator);
  if (filter.action !== null) add('a.action = ?', filter.action);
  if (filter.merchant === null) parts.push(IS_FIRST);
  else add('a.merchant_id = ANY (?)', await merchantIds(db, filter.merchant));
  return { where: parts.join(' AND '), values };
}

function toDeed(row: Row): OperatorDeed {
  const { environment, merchant_id: id, merchant_name: name } = row;
  const merchant = id === null ? null : { id, name: name ?? id };
  return { ...toAuditRow(row), environment, merchant };
}

/**
 * A page of the operators' log, the newest first: the entries of the audit log whose author is the
 * gateway's own, whichever merchant's log they stand in as well.
 */
export async function listDeeds(
  db: Queryable,
  filter: DeedFilter,
): Promise<{ entries: OperatorDeed[]; nextCursor: string | null }> {
  const { where, values } = await conditions(db, filter);
  const { rows } = await db.query<Row>(
    `SELECT ${STORED_ENTRY}, a.environment, a.merchant_id, m.name AS merchant_name
     FROM audit_log a LEFT JOIN merchants m ON m.id = a.merchant_id
     WHERE ${where} ORDER BY a.at DESC, a.id DESC LIMIT $${values.push(filter.limit + 1)}::int`,
    values,
  );
  const { page, nextCursor } = pageOf(rows, filter.limit);
  return { entries: page.map(toDeed), nextCursor };
}

// Steps from one value to the next with an index instead of reading the whole log.
const known = (column: 'actor_label' | 'action') => `
  WITH RECURSIVE known AS (
    (SELECT ${column} AS value FROM audit_log WHERE actor_type = 'operator'
     ORDER BY ${column} LIMIT 1)
    UNION ALL
    SELECT (SELECT ${column} FROM audit_log
            WHERE actor_type = 'operator' AND ${column} > known.value ORDER BY ${column} LIMIT 1)
    FROM known WHERE known.value IS NOT NULL)
  SELECT value FROM known WHERE value IS NOT NULL ORDER BY value LIMIT 500`;

/** The choices for filtering the operators' log. */
export async function listDeedChoices(
  db: Queryable,
): Promise<{ operators: string[]; actions: string[] }> {
  const { rows: operators } = await db.query<{ value: string }>(known('actor_label'));
  const { rows: actions } = await db.query<{ value: string }>(known('action'));
  return {
    operators: operators.map(({ value }) => value),
    actions: actions.map(({ value }) => value),
  };
}
