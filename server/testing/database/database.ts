import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { inject } from 'vitest';
import { openPool, SERVING } from '../../db/pool.ts';
import { databaseUrl, TEMPLATE } from '../global-setup.ts';

export type TestDatabase = { pool: pg.Pool; url: string; drop(): Promise<void> };

/** The limits of a serving process, but waiting for locks longer than the machine stalls. */
export const PATIENT = { ...SERVING, lock: 12_000 };

async function onServer(statement: string): Promise<void> {
  const pool = openPool(inject('postgresUrl'), 1);
  try {
    await pool.query(statement);
  } finally {
    await pool.end();
  }
}

/** A fresh, migrated database for this test on the run's PostgreSQL. */
export async function createTestDatabase(poolSize = 10): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  // Nothing of it has to outlive a crash, and so its files are copied without a log of each page.
  await onServer(`CREATE DATABASE ${name} TEMPLATE ${TEMPLATE} STRATEGY FILE_COPY`);
  const url = databaseUrl(inject('postgresUrl'), name);
  const pool = openPool(url, poolSize);
  const drop = async () => {
    await pool.end();
    await onServer(`DROP DATABASE ${name} WITH (FORCE)`);
  };
  return { pool, url, drop };
}
