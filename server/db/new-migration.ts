import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { migrationNames, migrationsFolder } from './migrate.ts';
import { diffSchemas, readSchema } from './schema-engine.ts';

// The data model after the last migration. It is kept because a migrated database cannot be
// compared with the schema: objects added by hand (partial indexes, triggers) would look like
// mistakes to undo.
const MIGRATED = 'schema.prisma';

/** A UTC time as `20261121093000`: the beginning of a migration's name. */
function stamp(now: Date): string {
  return now.toISOString().replace(/\D/g, '').slice(0, 14);
}

/**
 * Writes a migration's SQL: the difference between the data model at the last migration and now.
 * Read it before it is committed, and add by hand the rules that the schema cannot express.
 *
 * @param name snake_case words, e.g. `refunds`
 * @returns the path of the new file, or null when nothing has changed
 */
async function writeMigration(name: string, now: Date): Promise<string | null> {
  if (!/^[a-z][a-z0-9_]{0,60}$/.test(name)) {
    throw new Error('Name the migration in snake_case: npm run db:migration -- add_refunds');
  }
  const folder = migrationsFolder();
  const migrated = join(folder, MIGRATED);
  const schema = await readSchema();
  const before = { path: schema.path, content: await readFile(migrated, 'utf8') };
  const sql = await diffSchemas(before, schema);
  const isEmpty = sql.split('\n').every((line) => line.trim() === '' || line.startsWith('--'));
  if (isEmpty) {
    await writeFile(migrated, schema.content);
    return null;
  }
  const newest = (await migrationNames()).at(-1) ?? '';
  const directory = `${stamp(now)}_${name}`;
  if (directory <= newest) throw new Error(`The clock is behind the newest migration, ${newest}.`);
  await mkdir(join(folder, directory));
  const path = join(folder, directory, 'migration.sql');
  await writeFile(path, sql);
  await writeFile(migrated, schema.content);
  return path;
}

try {
  const path = await writeMigration(process.argv[2] ?? '', new Date());
  process.stdout.write(path ? `${path}\n` : 'The data model has not changed.\n');
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
