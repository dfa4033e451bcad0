import type { Queryable } from '../../db/pool.ts';
import { epochMs } from '../columns.ts';
import type { Arm } from './list-arms.ts';
import {
  type Add,
  foundColumns,
  type ListOrder,
  orderSql,
  type Place,
  placeColumns,
  placeholders,
  placeSql,
} from './list-order.ts';
import type { Ways } from './list-ways.ts';

const mostOf = ({ most }: Arm, lookedAt: number): number => Math.min(most ?? lookedAt, lookedAt);

export const FOUND = foundColumns('s');

/** `wanted`: the placeholder of the number of rows. */
type FoundLimits = { wanted: string; lookedAt: number };

/** The places of what an arm finds; a source without further conditions needs no bound. */
function foundBy(
  arm: Arm,
  add: Add,
  { order, wanted, lookedAt }: FoundLimits & { order: ListOrder },
): string {
  const { source, rest } = arm;
  const place = placeColumns(order, FOUND);
  const conditions = rest(add);
  if (conditions.length === 0) {
    return `(SELECT ${place} FROM (${source(add)} LIMIT ${wanted}::int) s)`;
  }
  // Each is looked up by its key (a join without LIMIT might read the whole table instead), only
  // until the page is full.
  return `(SELECT ${place} FROM (${source(add)} LIMIT ${mostOf(arm, lookedAt)}) s
    CROSS JOIN LATERAL (SELECT * FROM invoices WHERE id = s.id LIMIT 1) i
    WHERE ${conditions.join(' AND ')} ORDER BY ${orderSql(order, FOUND)} LIMIT ${wanted}::int)`;
}

/** What these ways find, as a statement that names the places. */
export function foundByAll(
  { arms, scope: { order } }: Ways,
  add: Add,
  limits: FoundLimits,
): string {
  return arms.map((arm) => foundBy(arm, add, { order, ...limits })).join(' UNION ');
}

/** The ids that a search finds, the newest first. */
export async function findIds(
  db: Queryable,
  ways: Ways,
  { lookedAt, most }: { lookedAt: number; most: number },
): Promise<string[]> {
  const { values, add } = placeholders();
  const wanted = add(most);
  const found = foundByAll(ways, add, { wanted, lookedAt });
  const { rows } = await db.query<{ id: string }>(
    `SELECT s.id FROM (${found}) s ORDER BY s.id DESC LIMIT ${wanted}::int`,
    values,
  );
  return rows.map(({ id }) => id);
}

/** The number of what these ways find, or `most` and one more. */
export async function countFound(
  db: Queryable,
  ways: Ways,
  { lookedAt, most }: { lookedAt: number; most: number },
): Promise<number> {
  const { values, add } = placeholders();
  const found = foundByAll(ways, add, { wanted: add(most + 1), lookedAt });
  const { rows } = await db.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM (${found}) f`,
    values,
  );
  return rows[0]?.count ?? 0;
}

type Bound = { place: Place; atMs: number; holdsBack: boolean };

/** The bounds reached by arms; after the last row of a full page they do not matter. */
export async function boundsOf(
  db: Queryable,
  { arms, scope: { order } }: Ways,
  lookedAt: number,
  last: Place | null,
): Promise<Bound[]> {
  const { values, add } = placeholders();
  const bounded = arms.filter(({ rest }) => rest(() => '').length > 0);
  if (bounded.length === 0) return [];
  const lasts = bounded.map((arm) => {
    const asked =
      arm.holdsBack && last && placeSql(order, FOUND, { is: 'not after', place: last }, add);
    return `(SELECT s.id, ${arm.holdsBack} AS holds_back FROM (${arm.source(add)}) s
      ${asked ? `WHERE ${asked}` : ''}
      OFFSET ${mostOf(arm, lookedAt) - 1} LIMIT 1)`;
  });
  const at = order.by === 'paid' ? 'i.status_changed_at' : 'i.created_at';
  const { rows } = await db.query<{ id: string; at_ms: number; holds_back: boolean }>(
    `SELECT b.id, b.holds_back, ${epochMs(at)} AS at_ms
     FROM (${lasts.join(' UNION ALL ')}) b JOIN invoices i ON i.id = b.id`,
    values,
  );
  return rows.map(({ id, at_ms: atMs, holds_back: holdsBack }) => ({
    place: { id, paidAtMs: order.by === 'paid' ? atMs : null },
    atMs,
    holdsBack,
  }));
}
