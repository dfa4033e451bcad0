import type pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { insertDue, resultOf, until } from '../../testing/callbacks.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database/database.ts';
import { createMerchantFixture } from '../../testing/factories.ts';
import type { AttemptResult } from '../types.ts';
import { claimDue } from './claim.ts';
import { Recorder } from './recorder.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

/** Results of `count` callbacks of one merchant, each claimed and delivered. */
async function results(count: number): Promise<AttemptResult[]> {
  const { id: merchantId } = await createMerchantFixture(database.pool);
  await insertDue(database.pool, { merchantId, url: 'http://127.0.0.1:1/', at: NOW, count });
  const claimed = await claimDue(database.pool, { now: NOW, limit: count });
  return claimed.map((callback) => resultOf(callback, NOW));
}

function recordBy(pool: pg.Pool) {
  const recorded: string[] = [];
  const errors: unknown[] = [];
  const recorder = new Recorder({
    pool,
    onRecorded: (batch) => recorded.push(...batch.map(({ invoiceId }) => invoiceId)),
    onError: (error) => errors.push(error),
  });
  return { recorder, recorded, errors };
}

test('a row that somebody holds keeps no other result from being recorded', async () => {
  const [held, beside, later] = (await results(3)) as [AttemptResult, AttemptResult, AttemptResult];
  const { recorder, recorded, errors } = recordBy(database.pool);
  const holder = await database.pool.connect();
  try {
    await holder.query('BEGIN');
    const row = 'SELECT FROM callbacks WHERE invoice_id = $1 FOR NO KEY UPDATE';
    await holder.query(row, [held.invoiceId]);
    recorder.add(held);
    recorder.add(beside);
    await until(() => recorded.length === 1);
    recorder.add(later);
    await until(() => recorded.length === 2);
    expect(recorded).toEqual([beside.invoiceId, later.invoiceId]);
    expect(recorder.unrecorded).toBe(1);
  } finally {
    await holder.query('COMMIT');
    holder.release();
  }
  await recorder.idle();
  expect(recorded.at(-1)).toBe(held.invoiceId);
  expect(recorder.unrecorded).toBe(0);
  expect(errors).toMatchObject([{ code: '55P03' }]);
});

/** Makes each write of the row fail, as a damaged block of the table would. */
async function damage({ invoiceId }: AttemptResult): Promise<void> {
  await database.pool.query(`
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
      $$BEGIN RAISE EXCEPTION 'damaged' USING ERRCODE = 'XX001'; END$$;
    CREATE TRIGGER refuse BEFORE UPDATE ON callbacks FOR EACH ROW
      WHEN (OLD.invoice_id = '${invoiceId}') EXECUTE FUNCTION refuse()`);
}

test('a result that fails each time keeps no other from being recorded', async () => {
  const [broken, ...others] = (await results(4)) as [AttemptResult, ...AttemptResult[]];
  await damage(broken);
  const { recorder, recorded, errors } = recordBy(database.pool);
  recorder.add(broken);
  for (const [index, other] of others.entries()) {
    await until(() => errors.length > index);
    recorder.add(other);
    await until(() => recorded.length > index);
  }
  expect(recorded).toEqual(others.map(({ invoiceId }) => invoiceId));
  expect(recorder.unrecorded).toBe(1);
  recorder.abandon();
  await recorder.idle();
});

test('a result that fails each time keeps none of its own batch from being recorded', async () => {
  const all = await results(9);
  const broken = all[4] as AttemptResult;
  await damage(broken);
  const { recorder, recorded } = recordBy(database.pool);
  for (const result of all) recorder.add(result);
  await until(() => recorder.unrecorded === 1);
  const others = all.filter((result) => result !== broken).map(({ invoiceId }) => invoiceId);
  expect([...recorded].sort()).toEqual(others.sort());
  recorder.abandon();
  await recorder.idle();
});

/** A pool whose first connection is given up at COMMIT, which it carries out when told. */
function slowToCommit() {
  const { pool } = database;
  let connections = 0;
  let commit: () => Promise<void> = () => Promise.reject(new Error('not yet'));
  const connect = async () => {
    connections += 1;
    const client = await pool.connect();
    if (connections > 1) return client;
    const query = client.query.bind(client);
    const release = client.release.bind(client);
    commit = async () => {
      await query('COMMIT');
      Object.assign(client, { query, pipeline: false });
      release();
    };
    return Object.assign(client, {
      query: (config: string) =>
        config === 'COMMIT' ? Promise.reject(new Error('Query read timeout')) : query(config),
      release: () => undefined,
    });
  };
  const wrapped = { connect } as unknown as pg.Pool;
  return { pool: wrapped, connections: () => connections, commit: () => commit() };
}

test('a result whose commit is given up and comes later counts once', async () => {
  const [result] = (await results(1)) as [AttemptResult];
  const { pool, connections, commit } = slowToCommit();
  const { recorder, errors } = recordBy(pool);
  recorder.add(result);
  await until(async () => {
    const { rowCount } = await database.pool.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return rowCount === 1 || connections() > 2;
  });
  await commit();
  await recorder.idle();
  expect(errors).toEqual([new Error('Query read timeout')]);
  const { rows } = await database.pool.query(
    `SELECT attempt_count, (SELECT count(*)::int FROM callback_attempts) AS attempts, state
     FROM callbacks`,
  );
  expect(rows).toEqual([{ attempt_count: 1, attempts: 1, state: 'delivered' }]);
});
