import type { Queryable } from '../db/pool.ts';
import {
  type AuditRow,
  type AuditSpan,
  conditionsOn,
  pageOf,
  STORED_ENTRY,
  type StoredEntry,
  toAuditRow,
} from './audit-rows.ts';
import type { Tenant } from './types.ts';

/** Who did what, for staff who read it beside its target. */
export type AuditView = Pick<AuditRow, 'id' | 'atMs' | 'actor' | 'action'>;

/** The same with the details that its sentence names. */
type AuditDetailView = AuditView & Pick<AuditRow, 'details'>;

export type AuditFilter = AuditSpan & {
  /** A user's id; `gateway` for the operator's command; null for everybody. */
  person: string | null;
  action: string | null;
};

type ViewRow = Pick<StoredEntry, 'id' | 'at' | 'actor_label' | 'action'>;

function toView(row: ViewRow): AuditView {
  return { id: row.id, atMs: row.at.getTime(), actor: row.actor_label, action: row.action };
}

/** The filter's conditions on an entry `a`, beside its merchant ($1) and environment ($2). */
function conditions(tenant: Tenant, filter: AuditFilter): { where: string; values: unknown[] } {
  const { parts, values, add } = conditionsOn(filter, [tenant.merchantId, tenant.environment]);
  parts.push('a.merchant_id = $1');
  if (filter.person === 'gateway') parts.push('a.actor_id IS NULL');
  else if (filter.person !== null) add('a.actor_id = ?', filter.person);
  if (filter.action !== null) add('a.action = ?', filter.action);
  return { where: parts.join(' AND '), values };
}

// Entries that concern both environments have neither: each is its own index scan. The nullable
// column comes first, or PostgreSQL would not know that the rows are in order.
const ORDER = 'environment, at DESC, id DESC';
const orderOf = ({ person }: AuditFilter) =>
  person === null ? `ORDER BY ${ORDER}` : `ORDER BY actor_id, ${ORDER}`;

/** A page of the tenant's audit log, the newest first. */
export async function listAudit(
  db: Queryable,
  tenant: Tenant,
  filter: AuditFilter,
): Promise<{ entries: AuditRow[]; nextCursor: string | null }> {
  const { where, values } = conditions(tenant, filter);
  const limit = `LIMIT $${values.push(filter.limit + 1)}::int`;
  const inOrder = `${orderOf(filter)} ${limit}`;
  const { rows } = await db.query<StoredEntry>(
    `SELECT ${STORED_ENTRY}
     FROM (
       (SELECT * FROM audit_log a WHERE ${where} AND environment = $2::environment ${inOrder})
       UNION ALL
       (SELECT * FROM audit_log a WHERE ${where} AND environment IS NULL ${inOrder})
     ) a ORDER BY a.at DESC, a.id DESC ${limit}`,
    values,
  );
  const { page, nextCursor } = pageOf(rows, filter.limit);
  return { entries: page.map(toAuditRow), nextCursor };
}

// Steps from one value to the next with an index instead of reading the whole log.
const skipScan = (column: 'actor_id' | 'action') => `
  WITH RECURSIVE known AS (
    (SELECT ${column} AS value FROM audit_log
     WHERE merchant_id = $1 AND ${column} IS NOT NULL ORDER BY ${column} LIMIT 1)
    UNION ALL
    SELECT (SELECT ${column} FROM audit_log
            WHERE merchant_id = $1 AND ${column} > known.value ORDER BY ${column} LIMIT 1)
    FROM known WHERE known.value IS NOT NULL)`;

/** The choices for filtering the log: people, by their latest name, and actions. */
export async function listAuditChoices(
  db: Queryable,
  { merchantId }: Tenant,
): Promise<{ people: { id: string; name: string }[]; actions: string[] }> {
  const { rows: people } = await db.query<{ id: string; name: string }>(
    `${skipScan('actor_id')}
     SELECT value AS id, last.actor_label AS name FROM known, LATERAL (
       SELECT actor_label FROM audit_log
       WHERE merchant_id = $1 AND actor_id = known.value ORDER BY id DESC LIMIT 1) last
     WHERE value IS NOT NULL ORDER BY name, value LIMIT 500`,
    [merchantId],
  );
  const { rows: actions } = await db.query<{ value: string }>(
    `${skipScan('action')} SELECT value FROM known WHERE value IS NOT NULL ORDER BY value LIMIT 500`,
    [merchantId],
  );
  return { people, actions: actions.map(({ value }) => value) };
}

const MAX_READ = 200;

// $5: the actions that begin a thing's history, and so are among the oldest. Ordered by `told.id`,
// since `id` alone would be the text.
const OF_TARGET = `
  WITH of_target AS NOT MATERIALIZED (
    SELECT id, at, actor_label, action, target_id FROM audit_log
    -- By ANY, so that the order is that of the target's index: the primary key would bring all that
    -- was written since.
    WHERE target_id = ANY (ARRAY[$1::text]) AND target_type = $2::text
      AND merchant_id = $3::text AND environment = $4::environment
  )
  SELECT id::text, at, actor_label, action FROM (
    (SELECT * FROM of_target ORDER BY target_id DESC, of_target.id DESC LIMIT ${MAX_READ})
    UNION
    SELECT * FROM (SELECT * FROM of_target ORDER BY target_id, of_target.id LIMIT ${MAX_READ}) oldest
    WHERE action = ANY ($5::text[])
  ) told ORDER BY told.id`;

/**
 * The latest actions of staff and the operator on one of the tenant's things, the oldest first.
 *
 * @param beginnings actions that are included even for a thing with many entries, if they are
 *   among its first
 */
export async function listAuditOf(
  db: Queryable,
  tenant: Tenant,
  target: { type: string; id: string },
  beginnings: readonly string[],
): Promise<AuditView[]> {
  const { rows } = await db.query<ViewRow>({
    name: 'audit_of_target',
    text: OF_TARGET,
    values: [target.id, target.type, tenant.merchantId, tenant.environment, beginnings],
  });
  return rows.map(toView);
}

const newestOf = (place: string, limit: string | number) => `
  (SELECT * FROM audit_log WHERE merchant_id = $1 AND environment ${place}
   ORDER BY ${ORDER} LIMIT ${limit})`;

// A merchant's test servers write so much there that they would hide everything else.
const MAX_SANDBOX_READ = 1_000;
const RECENT = `
  SELECT id::text, at, actor_label, action, details FROM (
    ${newestOf('IS NULL', '$2::int')}
    UNION ALL ${newestOf(`= 'production'`, '$2::int')}
    UNION ALL (SELECT * FROM ${newestOf(`= 'sandbox'`, MAX_SANDBOX_READ)} of_sandbox
               WHERE actor_type <> 'test')
  ) last ORDER BY last.at DESC, last.id DESC LIMIT $2::int`;

/**
 * The latest actions of staff and operators on a merchant, in both environments: for the operator.
 * The sandbox's are searched in its newest thousand entries, without those of sandbox tokens.
 */
export async function listRecentAudit(
  db: Queryable,
  merchantId: string,
  limit: number,
): Promise<AuditDetailView[]> {
  const { rows } = await db.query<ViewRow & Pick<StoredEntry, 'details'>>(RECENT, [
    merchantId,
    limit,
  ]);
  return rows.map((row) => ({ ...toView(row), details: row.details ?? {} }));
}
