import type { ListDays } from './list-types.ts';

export type Add = (value: unknown) => string;

/** Collects values and returns their placeholders. */
export function placeholders(): { values: unknown[]; add: Add } {
  const values: unknown[] = [];
  return { values, add: (value) => `$${values.push(value)}` };
}

/** The order of a list's rows: by their ids, which begin with the time of creation, or by payment. */
export type ListOrder = { by: ListDays; isOldestFirst: boolean };

/** A row's place in a list, which it keeps for ever; `paidAtMs` is null in an order by creation. */
export type Place = { id: string; paidAtMs: number | null };

/** A time as a parameter. */
export const instant = (atMs: number, add: Add): string =>
  `${add(new Date(atMs).toISOString())}::timestamptz`;

/** The columns that rows are ordered by; `paidAt` counts in an order by payment only. */
export type PlaceColumns = { id: string; paidAt: string };

/** The columns of a row that a source of ids found. */
export const foundColumns = (row: string): PlaceColumns => ({
  id: `${row}.id`,
  paidAt: `${row}.paid_at`,
});

/** The order as SQL. */
export function orderSql({ by, isOldestFirst }: ListOrder, { id, paidAt }: PlaceColumns): string {
  const direction = isOldestFirst ? 'ASC' : 'DESC';
  return by === 'paid' ? `${paidAt} ${direction}, ${id} ${direction}` : `${id} ${direction}`;
}

/** The columns that tell a row's place. */
export const placeColumns = ({ by }: ListOrder, { id, paidAt }: PlaceColumns): string =>
  by === 'paid' ? `${id}, ${paidAt}` : id;

/** What comes after a place, or is at it or before. */
export function placeSql(
  { by, isOldestFirst }: ListOrder,
  { id, paidAt }: PlaceColumns,
  { is, place }: { is: 'after' | 'not after'; place: Place },
  add: Add,
): string {
  const sign = isOldestFirst ? ['>', '<='] : ['<', '>='];
  const compared = is === 'after' ? sign[0] : sign[1];
  const last = `${add(place.id)}::text`;
  if (by === 'created') return `${id} ${compared} ${last}`;
  return `(${paidAt}, ${id}) ${compared} (${instant(place.paidAtMs ?? 0, add)}, ${last})`;
}

/** Compares two places in an order: below 0 where the first comes first. */
export function comparePlaces({ isOldestFirst }: ListOrder, one: Place, other: Place): number {
  const [oneMs, otherMs] = [one.paidAtMs ?? 0, other.paidAtMs ?? 0];
  const rises = oneMs === otherMs ? one.id < other.id : oneMs < otherMs;
  return rises === isOldestFirst ? -1 : 1;
}

/** A place as the text that the next page begins after. */
export const cursorOf = ({ id, paidAtMs }: Place): string =>
  paidAtMs === null ? id : `${paidAtMs}.${id}`;

/** The place of a cursor; null for none, and for one of another order. */
export function placeOf({ by }: ListOrder, cursor: string | null): Place | null {
  if (cursor === null) return null;
  if (by === 'created') return { id: cursor, paidAtMs: null };
  const [, paidAtMs, id] = /^(\d{1,14})\.(.+)$/.exec(cursor) ?? [];
  return id === undefined ? null : { id, paidAtMs: Number(paidAtMs) };
}
