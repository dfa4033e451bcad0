import pg from 'pg';

// SQLSTATE classes that PostgreSQL raises for a statement that it then undoes whole: cardinality,
// data, integrity, serialization and deadlock, a limit of the program, the state of an object
// (a lock that was not to be had), a trigger's exception. Not among them: connections (08),
// resources (53), an operator's shutdown (57P), the system (58, XX), a statement that took too long
// (57014): each row's own would take as long, one after the other.
const CLASSES = new Set(['21', '22', '23', '40', '54', '55', 'P0']);
const COMPLETION_UNKNOWN = '40003';

/**
 * Whether a failure is PostgreSQL's own word that a statement was undone because of what it was
 * asked to do, so that trying its parts apart is safe and may help.
 *
 * A connection that was lost is not: the COMMIT may have been carried out.
 */
export function isRowsFault(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError) || error.code === undefined) return false;
  return error.code !== COMPLETION_UNKNOWN && CLASSES.has(error.code.slice(0, 2));
}

/**
 * A condition that is always true and, as a side effect, sets `lock_timeout` to half a second until the
 * transaction ends. It belongs where the rows to be locked or inserted are read: PostgreSQL evaluates
 * it once, before the first of them. A statement that meets a held row then fails, and its rows may be
 * tried one by one, so that those of other merchants do not wait along.
 */
export const BRIEF_LOCKS = `(SELECT set_config('lock_timeout', '500', true)) IS NOT NULL`;
