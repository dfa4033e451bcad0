/** An entry of the audit log. Times in milliseconds. */
export type AuditRow = {
  id: string;
  atMs: number;
  /** An e-mail address, or "gateway command". */
  actor: string;
  isOperator: boolean;
  /** The caller's network address. */
  address: string | null;
  /** Noun and verb, e.g. `member.role`. */
  action: string;
  target: { type: string; id: string } | null;
  details: Record<string, string | number | boolean | null>;
};

/** The part of the log that a page shows. */
export type AuditSpan = {
  fromMs: number | null;
  /** Entries before this time. */
  untilMs: number | null;
  /** The previous page's `nextCursor`; null for the first page. */
  cursor: string | null;
  limit: number;
};

/** An entry `a` as the database has it. */
export type StoredEntry = {
  id: string;
  at: Date;
  actor_type: string;
  actor_label: string;
  address: string | null;
  action: string;
  target_type: string | null;
  target_id: string | null;
  details: AuditRow['details'] | null;
};

/** The columns of a `StoredEntry`, for a SELECT. */
export const STORED_ENTRY = `a.id::text, a.at, a.actor_type, a.actor_label, a.address, a.action,
  a.target_type, a.target_id, a.details`;

export function toAuditRow(row: StoredEntry): AuditRow {
  const { target_type: type, target_id: id } = row;
  return {
    id: row.id,
    atMs: row.at.getTime(),
    actor: row.actor_label,
    isOperator: row.actor_type === 'operator',
    address: row.address,
    action: row.action,
    target: type !== null && id !== null ? { type, id } : null,
    details: row.details ?? {},
  };
}

/** Conditions on an entry `a` that begin with its span; `add` puts the given values for each `?`. */
export function conditionsOn(span: AuditSpan, values: unknown[] = []) {
  const parts: string[] = [];
  const add = (condition: string, ...given: unknown[]) => {
    parts.push(condition.replaceAll('?', () => `$${values.push(given.shift())}`));
  };
  const { fromMs, untilMs, cursor } = span;
  if (fromMs !== null) add('a.at >= ?::timestamptz', new Date(fromMs).toISOString());
  if (untilMs !== null) add('a.at < ?::timestamptz', new Date(untilMs).toISOString());
  if (cursor !== null) {
    const [atMs, id] = cursor.split('-');
    add('(a.at, a.id) < (?::timestamptz, ?::bigint)', new Date(Number(atMs)).toISOString(), id);
  }
  return { parts, values, add };
}

/** The entries of a page, of which one more than the limit was read. */
export function pageOf<Entry extends StoredEntry>(
  rows: Entry[],
  limit: number,
): { page: Entry[]; nextCursor: string | null } {
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return { page, nextCursor: last ? `${last.at.getTime()}-${last.id}` : null };
}
