import pg from 'pg';

// SQLSTATE classes of failures that undo the whole statement: cardinality, data, integrity,
// serialization and deadlock, a program limit, an object's state (an unavailable lock), a trigger's
// exception. Excluded are connections (08), resources (53), an operator's shutdown (57P), the
// system (58, XX), and a statement that took too long (57014): the rows one after the other would
// take just as long.
const CLASSES = new Set(['21', '22', '23', '40', '54', '55', 'P0']);
const COMPLETION_UNKNOWN = '40003';

/**
 * Whether PostgreSQL itself says that a statement was undone because of its content, so that trying
 * its parts separately is safe and may help.
 *
 * A lost connection does not count: the COMMIT may have taken effect.
 */
export function isRowsFault(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError) || error.code === undefined) return false;
  return error.code !== COMPLETION_UNKNOWN && CLASSES.has(error.code.slice(0, 2));
}

/**
 * A condition that is always true and, as a side effect, sets `lock_timeout` to half a second until
 * the transaction ends. It belongs where the rows to lock or insert are read: PostgreSQL evaluates
 * it once, before the first of them. A statement that meets a locked row then fails, and its rows
 * may be tried one by one, so that other merchants' rows do not wait too.
 */
export const BRIEF_LOCKS = `(SELECT set_config('lock_timeout', '500', true)) IS NOT NULL`;
