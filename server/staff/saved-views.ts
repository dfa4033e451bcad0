import type { Pool } from 'pg';
import { inTransaction, type Queryable } from '../db/pool.ts';
import { GatewayError } from '../lib/errors.ts';
import { newId } from '../lib/ids.ts';
import type { Tenant } from '../merchants/types.ts';

/** The lists that have views. */
export const VIEWED_LISTS = ['invoices', 'callbacks'] as const;
export type ViewedList = (typeof VIEWED_LISTS)[number];

export const VIEW_LIMITS = { views: 20, name: 40, query: 2_000 } as const;

/**
 * A list as a person keeps it.
 *
 * @property query the list's address after the question mark; whoever reads it takes an unknown
 *   value for none, as in an address
 */
export type SavedView = { id: string; name: string; query: string };

/** The member whose views they are, at one merchant and in one environment. */
type Owner = { tenant: Tenant; userId: string };

const OWN = 'user_id = $1 AND merchant_id = $2 AND environment = $3::environment';
const ownerValues = ({ tenant: { merchantId, environment }, userId }: Owner) => [
  userId,
  merchantId,
  environment,
];

/** A person's views of a list, in the order in which they were made. */
export async function listViews(
  db: Queryable,
  owner: Owner,
  list: ViewedList,
): Promise<SavedView[]> {
  const { rows } = await db.query<SavedView>({
    name: 'saved_views',
    text: `SELECT id, name, query FROM saved_views WHERE ${OWN} AND list = $4 ORDER BY id`,
    values: [...ownerValues(owner), list],
  });
  return rows;
}

/**
 * Keeps a list under a name.
 *
 * @throws GatewayError `view_name_taken`, `too_many_views`; `permission_missing` for somebody who is
 *   not on the merchant's staff
 */
export async function saveView(
  pool: Pool,
  owner: Owner,
  { list, name, query, now }: { list: ViewedList; name: string; query: string; now: Date },
): Promise<{ id: string }> {
  return await inTransaction(pool, async (db) => {
    // One after the other: two at once would both find room.
    const { rowCount } = await db.query(
      'SELECT FROM memberships WHERE user_id = $1 AND merchant_id = $2 FOR UPDATE',
      [owner.userId, owner.tenant.merchantId],
    );
    if (rowCount === 0) throw new GatewayError('permission_missing');
    const views = await listViews(db, owner, list);
    if (views.length >= VIEW_LIMITS.views) throw new GatewayError('too_many_views');
    const id = newId('view', now.getTime());
    const inserted = await db.query(
      `INSERT INTO saved_views (user_id, merchant_id, environment, list, id, name, query, created_at)
       VALUES ($1, $2, $3::environment, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING`,
      [...ownerValues(owner), list, id, name, query, now.toISOString()],
    );
    if (inserted.rowCount === 0) throw new GatewayError('view_name_taken');
    return { id };
  });
}

/** @throws GatewayError `view_not_found`, `view_name_taken` */
export async function renameView(
  db: Queryable,
  owner: Owner,
  { viewId, name }: { viewId: string; name: string },
): Promise<void> {
  const values = [...ownerValues(owner), viewId, name];
  // One of two who take a name at once is refused by the index.
  const renamed = await db.query(
    `UPDATE saved_views v SET name = $5 WHERE ${OWN} AND id = $4
       AND NOT EXISTS (SELECT FROM saved_views o WHERE ${OWN} AND o.list = v.list AND o.name = $5
         AND o.id <> v.id)`,
    values,
  );
  if (renamed.rowCount === 1) return;
  const { rowCount } = await db.query(
    `SELECT FROM saved_views WHERE ${OWN} AND id = $4`,
    values.slice(0, 4),
  );
  throw new GatewayError(rowCount === 0 ? 'view_not_found' : 'view_name_taken');
}

/** Forgets a view; one that is gone already stays so. */
export async function deleteView(
  db: Queryable,
  owner: Owner,
  { viewId }: { viewId: string },
): Promise<void> {
  await db.query(`DELETE FROM saved_views WHERE ${OWN} AND id = $4`, [
    ...ownerValues(owner),
    viewId,
  ]);
}
