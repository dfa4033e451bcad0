import { openPool } from '../server/db/pool.ts';
import { buildWhenStale } from '../server/process/build.ts';
import { createRestMerchant } from '../server/testing/rest.ts';
import { openDatabase } from './database.ts';
import {
  type LoadGenerator,
  type Server,
  startBare,
  startGateway,
  startLoadGenerator,
  startPeer,
} from './processes.ts';
import { type StatementRunner, seedInvoices, statementRunner } from './statements.ts';

/** All measured servers, running on the same database. */
export type Bench = {
  statements: StatementRunner;
  servers: { bare: Server; next: Server; alone: Server; gateway: Server };
  load: LoadGenerator;
  postgresPid: number;
  headers: { [name: string]: string };
};

/** Builds what is stale, starts everything in the run's own folder, and returns how to end it. */
export async function prepare(options: {
  folder: string;
  poolSize: number;
}): Promise<{ bench: Bench; stop(): Promise<void> }> {
  const { folder, poolSize } = options;
  await buildWhenStale();
  const postgres = await openDatabase();
  const pool = openPool(postgres.url, 1);
  const merchant = await createRestMerchant(pool);
  await seedInvoices(pool, merchant.id);
  await pool.query('VACUUM ANALYZE');
  await pool.end();
  const token = merchant.sandbox.authorization.slice('Bearer '.length);
  const settings = { databaseUrl: postgres.url, poolSize, merchantId: merchant.id, token };
  const gateway = { databaseUrl: postgres.url, poolSize, folder };
  const [bare, next, alone, together] = await Promise.all([
    startBare(settings),
    startPeer(settings, folder),
    startGateway({ ...gateway, coalesce: 'off' }),
    startGateway({ ...gateway, coalesce: 'on' }),
  ]);
  const servers = { bare, next, alone, gateway: together };
  const load = startLoadGenerator();
  const stop = async () => {
    load.stop();
    await Promise.all(Object.values(servers).map((server) => server.stop()));
    await postgres.stop();
  };
  const bench: Bench = {
    statements: statementRunner(postgres.url, merchant.id, folder),
    servers,
    load,
    postgresPid: postgres.pid,
    headers: { ...merchant.sandbox },
  };
  return { bench, stop };
}
