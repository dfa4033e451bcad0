import { execFile, execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';

/** The same two statements with no server in front of them: the ceiling. */
export type StatementRunner = {
  name: string;
  /** Statements a second. */
  run(kind: 'create' | 'status', durationMs: number): Promise<number>;
};

export const SEEDED_INVOICES = 2_000;
const CLIENTS = 10;

const columns = `id, merchant_id, environment, merchant_transaction_id, amount_minor, currency,
  description, positions, merchant_data, success_url, error_url, callback_url, end_date, created_at,
  status_changed_at`;

function insertOf(merchantId: string, id: string, transactionId: string): string {
  return `INSERT INTO invoices (${columns}) VALUES (${id}, '${merchantId}', 'sandbox', ${transactionId}, 4200, 'USD',
    'Order of two tickets and a programme',
    '[{"title":"Ticket, stalls, row 7","amount":3800,"currency":"USD"},{"title":"Programme","amount":400,"currency":"USD"}]',
    '{"cart":"c-7719","customer":42,"source":"web"}', 'https://shop.example/orders/paid',
    'https://shop.example/orders/not-paid', 'https://shop.example/gateway/callback',
    now() + interval '1 day', now(), now())
    ON CONFLICT (merchant_id, environment, merchant_transaction_id) DO NOTHING`;
}

const newInsert = (merchantId: string) =>
  insertOf(merchantId, `'inv_' || replace(uuidv7()::text, '-', '')`, `'order-' || uuidv7()::text`);

const statusOf = (merchantId: string, number: string) =>
  `SELECT id, status, (extract(epoch FROM end_date) * 1000)::float8 AS end_date FROM invoices
   WHERE merchant_id = '${merchantId}' AND environment = 'sandbox' AND id = 'inv_bench_' || ${number}`;

/** Makes the invoices that `status` asks for. */
export async function seedInvoices(pool: pg.Pool, merchantId: string): Promise<void> {
  const client = await pool.connect();
  await client.query('BEGIN');
  for (let number = 1; number <= SEEDED_INVOICES; number++) {
    await client.query(insertOf(merchantId, `'inv_bench_${number}'`, `'bench-${number}'`));
  }
  await client.query('COMMIT');
  client.release();
}

function hasPgbench(): boolean {
  try {
    execFileSync('pgbench', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

function pgbench(url: string, merchantId: string, folder: string): StatementRunner {
  const { hostname, port, username, password, pathname } = new URL(url);
  const env = {
    ...process.env,
    PGHOST: hostname,
    PGPORT: port,
    PGUSER: username,
    PGPASSWORD: decodeURIComponent(password),
    PGDATABASE: pathname.slice(1),
  };
  const oneLine = (sql: string) => `${sql.replaceAll(/\s+/g, ' ')};\n`;
  const number = `\\set number random(1, ${SEEDED_INVOICES})\n`;
  const scripts = { create: join(folder, 'create.sql'), status: join(folder, 'status.sql') };
  writeFileSync(scripts.create, oneLine(newInsert(merchantId)));
  writeFileSync(scripts.status, number + oneLine(statusOf(merchantId, ':number::text')));
  return {
    name: `pgbench, ${CLIENTS} clients, prepared`,
    async run(kind, durationMs) {
      const seconds = String(Math.max(1, Math.round(durationMs / 1000)));
      const clients = ['-c', String(CLIENTS), '-j', '2', '-T', seconds];
      const args = ['-n', '-M', 'prepared', ...clients, '-f', scripts[kind]];
      const { stdout } = await promisify(execFile)('pgbench', args, { env });
      return Number(/^tps = ([\d.]+)/m.exec(stdout)?.[1]);
    },
  };
}

function loop(url: string, merchantId: string): StatementRunner {
  return {
    name: `a loop around pg, ${CLIENTS} clients, prepared`,
    async run(kind, durationMs) {
      const pool = new pg.Pool({ connectionString: url, max: CLIENTS });
      const endsAtMs = performance.now() + durationMs;
      let count = 0;
      const client = async () => {
        while (performance.now() < endsAtMs) {
          count += 1;
          await (kind === 'create'
            ? pool.query({ name: 'create', text: newInsert(merchantId) })
            : pool.query({
                name: 'status',
                text: statusOf(merchantId, '$1::text'),
                values: [String((count % SEEDED_INVOICES) + 1)],
              }));
        }
      };
      await Promise.all(Array.from({ length: CLIENTS }, client));
      await pool.end();
      return (count / durationMs) * 1000;
    },
  };
}

/** pgbench if it is on the PATH, otherwise our own loop. */
export function statementRunner(url: string, merchantId: string, folder: string): StatementRunner {
  return hasPgbench() ? pgbench(url, merchantId, folder) : loop(url, merchantId);
}
