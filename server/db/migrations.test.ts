import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import {
  applyMigrations,
  MIGRATION_LOCK_KEY,
  migrationNames,
  migrationsFolder,
  pendingMigrations,
} from './migrate.ts';
import { diffSchemas, readSchema } from './schema-engine.ts';

let migrated: TestDatabase;
let empty: TestDatabase;
beforeAll(async () => {
  [migrated, empty] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  await empty.pool.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
});
afterAll(() => Promise.all([migrated.drop(), empty.drop()]));

const COLUMNS = `
  SELECT table_name, column_name, udt_name, is_nullable, column_default, datetime_precision
  FROM information_schema.columns
  WHERE table_schema = 'public' AND table_name <> '_prisma_migrations'
  ORDER BY table_name, column_name`;
const LABELS = `
  SELECT t.typname, array_agg(e.enumlabel::text ORDER BY e.enumsortorder) AS labels
  FROM pg_enum e JOIN pg_type t ON t.oid = e.enumtypid GROUP BY 1 ORDER BY 1`;
const KEYS = `
  SELECT conname, pg_get_constraintdef(oid) AS definition FROM pg_constraint
  WHERE connamespace = 'public'::regnamespace AND contype IN ('p', 'f', 'u')
    AND conrelid <> coalesce(to_regclass('_prisma_migrations'), 0::regclass)
  ORDER BY conname`;

/** Everything a migration could leave: tables, indexes, columns, sets, constraints and so on. */
const OBJECTS = `
  SELECT 'column' AS kind, attrelid::regclass::text || ' ' || attname AS name,
    concat_ws(' ', atttypid::regtype, attnotnull, pg_get_expr(adbin, adrelid)) AS definition
  FROM pg_attribute JOIN pg_class c ON c.oid = attrelid
  LEFT JOIN pg_attrdef ON (adrelid, adnum) = (attrelid, attnum)
  WHERE relnamespace = 'public'::regnamespace AND NOT attisdropped
  UNION ALL SELECT 'index', indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'
  UNION ALL SELECT 'label', enumtypid::regtype::text, enumlabel FROM pg_enum
  UNION ALL SELECT 'constraint', conrelid::regclass || ' ' || conname, pg_get_constraintdef(oid)
  FROM pg_constraint WHERE connamespace = 'public'::regnamespace
  UNION ALL SELECT 'function', oid::regprocedure::text, prosrc
  FROM pg_proc WHERE pronamespace = 'public'::regnamespace
  UNION ALL SELECT 'trigger', tgname, pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
  UNION ALL SELECT 'options', relname, reloptions::text
  FROM pg_class WHERE relnamespace = 'public'::regnamespace
  ORDER BY 1, 2, 3`;

describe('the migrations', () => {
  it('make what the data model says: tables, columns, sets, keys', async () => {
    await empty.pool.query(await diffSchemas(null, await readSchema()));
    for (const look of [COLUMNS, LABELS, KEYS]) {
      const [actual, wanted] = await Promise.all([
        migrated.pool.query(look),
        empty.pool.query(look),
      ]);
      expect(actual.rows).toEqual(wanted.rows);
    }
    await empty.pool.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
  });

  it('have the data model that they lead to beside them', async () => {
    const kept = readFileSync(join(migrationsFolder(), 'schema.prisma'), 'utf8');
    expect((await readSchema()).content).toBe(kept);
  });

  it('are all pending on an empty database and none on a migrated one', async () => {
    expect(await pendingMigrations(empty.pool)).toEqual(await migrationNames());
    expect(await pendingMigrations(migrated.pool)).toEqual([]);
  });

  it('are applied once when three processes start at once', async () => {
    const applied = await Promise.all([1, 2, 3].map(() => applyMigrations(empty.url)));
    expect(applied.flat()).toEqual(await migrationNames());
    expect(await applyMigrations(empty.url)).toEqual([]);
    expect(await pendingMigrations(empty.pool)).toEqual([]);
  });

  it('wait for another process that migrates', async () => {
    const other = new pg.Client({ connectionString: empty.url });
    await other.connect();
    await other.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK_KEY]);
    let isDone = false;
    const applying = applyMigrations(empty.url).then(() => {
      isDone = true;
    });
    const waiting = `SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
    await expect.poll(async () => (await other.query(waiting)).rowCount).toBe(1);
    expect(isDone).toBe(false);
    await other.end();
    await applying;
  });

  it('say in plain words why they cannot be applied', async () => {
    const other = await createTestDatabase();
    await other.pool.query('DROP TABLE _prisma_migrations');
    await expect(applyMigrations(other.url)).rejects.toThrow(/could not be applied.*not empty/s);
    await other.drop();
  });

  it('are all or nothing, each of them: one that fails at its end leaves nothing behind', async () => {
    const other = await createTestDatabase(1);
    await other.pool.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
    const look = async () => (await other.pool.query(OBJECTS)).rows;
    for (const name of await migrationNames()) {
      const sql = readFileSync(join(migrationsFolder(), name, 'migration.sql'), 'utf8');
      const before = await look();
      await expect(other.pool.query(`${sql}\n; SELECT 1/0`), name).rejects.toThrow(
        'division by zero',
      );
      expect(await look(), name).toEqual(before);
      await other.pool.query(sql);
      // A script that only fills rows in leaves the objects as they are.
      const isOfObjects = /^(CREATE|ALTER|DROP)\b/m.test(sql);
      if (isOfObjects) expect(await look(), name).not.toEqual(before);
    }
    await other.drop();
  });
});

describe('diffSchemas', () => {
  it('writes the SQL of a change, and none for no change', async () => {
    const schema = await readSchema();
    const changed = {
      ...schema,
      content: `${schema.content}\nmodel Planet {\n  id String @id\n}\n`,
    };
    expect(await diffSchemas(schema, changed)).toContain('CREATE TABLE "Planet"');
    expect(await diffSchemas(schema, schema)).not.toContain('CREATE');
  });
});
