import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { PrismaPg } from '@prisma/adapter-pg';
import {
  bindMigrationAwareSqlAdapterFactory,
  ColumnTypeEnum,
  type SqlDriverAdapter,
  type SqlMigrationAwareDriverAdapterFactory,
  type SqlResultSet,
} from '@prisma/driver-adapter-utils';
import * as bindings from '@prisma/schema-engine-wasm/schema_engine_bg';
import type pg from 'pg';
import { processWide } from '../lib/process-wide.ts';
import { projectRoot } from '../settings/settings.ts';

/** A file of the data model, in the engine's form. */
export type SchemaFile = { path: string; content: string };

export type SchemaEngine = Awaited<ReturnType<typeof bindings.SchemaEngine.new>>;

// The package's entry imports the .wasm as an ES module, which Node does only with a flag. So it is
// instantiated by hand, once in a process.
type LowLevelBindings = {
  __wbg_set_wasm(exports: WebAssembly.Exports): void;
};

// Discards the engine's own log; errors are thrown as well.
const discard = () => undefined;
const nothing = async () => undefined;

// A process has one set of bindings, but this file may be loaded twice (by two projects of a test
// run): a second instance would invalidate the first one's memory.
const held = processWide<{ engine?: Promise<typeof bindings.SchemaEngine> }>(
  'schema-engine',
  () => ({}),
);

/** The engine leaves its timers running, and they must not keep a process alive. */
function withIdleClocks(imports: WebAssembly.ModuleImports): WebAssembly.ModuleImports {
  const wait = (tell: () => void, ms: number) => setTimeout(tell, ms).unref();
  const idle = Object.keys(imports)
    .filter((name) => name.startsWith('__wbg_setTimeout_'))
    .map((name) => [name, wait] as const);
  return { ...imports, ...Object.fromEntries(idle) };
}

async function load(): Promise<typeof bindings.SchemaEngine> {
  const script = createRequire(import.meta.url).resolve(
    '@prisma/schema-engine-wasm/schema_engine_bg',
  );
  const bytes = await readFile(script.replace(/\.js$/, '.wasm'));
  const { instance } = await WebAssembly.instantiate(bytes, {
    './schema_engine_bg.js': withIdleClocks(bindings as unknown as WebAssembly.ModuleImports),
  });
  (bindings as unknown as LowLevelBindings).__wbg_set_wasm(instance.exports);
  (instance.exports.__wbindgen_start as () => void)();
  return bindings.SchemaEngine;
}

/**
 * Prisma's own schema engine in WebAssembly: the same engine that `prisma migrate` downloads as a
 * native program.
 */
export async function openSchemaEngine(
  adapterFactory: SqlMigrationAwareDriverAdapterFactory,
): Promise<SchemaEngine> {
  held.engine ??= load();
  const Engine = await held.engine;
  const schema = await readSchema();
  return await Engine.new(
    { datamodels: [[schema.path, schema.content]] },
    discard,
    bindMigrationAwareSqlAdapterFactory(adapterFactory),
  );
}

/** The data model as it stands in the tree. */
export async function readSchema(): Promise<SchemaFile> {
  const path = join(projectRoot(), 'prisma', 'schema.prisma');
  return { path, content: await readFile(path, 'utf8') };
}

/**
 * The SQL that turns a database of the schema `from` (null: an empty one) into one of the schema
 * `to`. Empty when they are equal.
 */
export async function diffSchemas(from: SchemaFile | null, to: SchemaFile): Promise<string> {
  const engine = await openSchemaEngine(OFFLINE);
  try {
    const { stdout } = await engine.diff({
      from: from ? { tag: 'schemaDatamodel', files: [from] } : { tag: 'empty' },
      to: { tag: 'schemaDatamodel', files: [to] },
      script: true,
      exitCode: null,
      filters: { externalTables: [], externalEnums: [] },
    });
    return stdout ?? '';
  } finally {
    engine.free();
  }
}

/**
 * The engine sets it too, but later: after a kill in between, a finished script would look like a
 * failed one.
 */
const FINISH = `
  UPDATE _prisma_migrations SET finished_at = now()
  WHERE finished_at IS NULL AND rolled_back_at IS NULL`;

/**
 * PrismaPg, except that a migration is sent in one piece. PrismaPg cuts it at each semicolon, even
 * inside a function's body, and sends the pieces one by one. PostgreSQL runs a single piece in one
 * transaction, so that it fails whole. The same transaction marks it as finished: an unfinished row
 * has left nothing.
 *
 * @param onFault receives the reason of a failed script, which the engine does not pass on
 */
export function migratingAdapter(
  pool: pg.Pool,
  onFault: (error: Error, script: string) => void,
): SqlMigrationAwareDriverAdapterFactory {
  const factory = new PrismaPg(pool);
  const whole = async (connecting: ReturnType<PrismaPg['connect']>) => {
    const adapter = await connecting;
    adapter.executeScript = async (script) => {
      try {
        await adapter.underlyingDriver().query(`${script}\n;${FINISH}`);
      } catch (error) {
        onFault(error as Error, script);
        throw error;
      }
    };
    return adapter;
  };
  return {
    provider: factory.provider,
    adapterName: factory.adapterName,
    connect: () => whole(factory.connect()),
    connectToShadowDb: () => whole(factory.connectToShadowDb()),
  };
}

// A diff of two schemas needs no database, but the engine queries one when it is created: this
// answers that query (the schema exists, PostgreSQL 18).
const GREETING: SqlResultSet = {
  columnNames: ['exists', 'version', 'numeric_version'],
  columnTypes: [ColumnTypeEnum.Boolean, ColumnTypeEnum.Text, ColumnTypeEnum.Int32],
  rows: [[true, 'PostgreSQL 18.4', 180_004]],
};
const OFFLINE_ADAPTER: SqlDriverAdapter = {
  provider: 'postgres',
  adapterName: 'offline',
  queryRaw: async () => GREETING,
  executeRaw: async () => 0,
  executeScript: nothing,
  getConnectionInfo: () => ({ schemaName: 'public', supportsRelationJoins: true }),
  startTransaction: async () => {
    throw new Error('A diff of two schemas runs no statement.');
  },
  dispose: nothing,
};
const OFFLINE: SqlMigrationAwareDriverAdapterFactory = {
  provider: 'postgres',
  adapterName: 'offline',
  connect: async () => OFFLINE_ADAPTER,
  connectToShadowDb: async () => OFFLINE_ADAPTER,
};
