import type { Queryable } from '../db/pool.ts';

/** From now on this database refuses entries of the audit log. */
export async function refuseAudit(db: Queryable): Promise<void> {
  await db.query(`
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
      $$BEGIN RAISE EXCEPTION 'no entry'; END$$;
    CREATE TRIGGER refuse BEFORE INSERT ON audit_log FOR EACH ROW EXECUTE FUNCTION refuse()`);
}
