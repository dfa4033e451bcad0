import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/database.ts';
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
    await new Promise((resolve) => setTimeout(resolve, 300));
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

  it('are one statement a file: one that fails leaves nothing behind', async () => {
    const sql = readFileSync(
      join(migrationsFolder(), '20261121000000_initial', 'migration.sql'),
      'utf8',
    );
    const other = await createTestDatabase();
    await other.pool.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
    await expect(other.pool.query(`${sql}; SELECT 1/0`)).rejects.toThrow('division by zero');
    const { rows } = await other.pool.query(COLUMNS);
    expect(rows).toEqual([]);
    await other.drop();
  });
});

describe('diffSchemas', () => {
  it('writes the SQL of a change, and none for no change', async () => {
    const schema = await readSchema();
    const changed = {
      ...schema,
      content: `${schema.content}\nmodel Refund {\n  id String @id\n}\n`,
    };
    expect(await diffSchemas(schema, changed)).toContain('CREATE TABLE "Refund"');
    expect(await diffSchemas(schema, schema)).not.toContain('CREATE');
  });
});
