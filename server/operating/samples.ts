import type pg from 'pg';
import type { Queryable } from '../db/pool.ts';
import { readBacklog } from './backlog.ts';

const MINUTE_MS = 60_000;
const KEPT_MS = 7 * 24 * 60 * MINUTE_MS;

/** The backlog at the beginning of a minute. Times and durations in milliseconds. */
export type BacklogSample = {
  atMs: number;
  callbacksDue: number;
  oldestUndeliveredMs: number;
  expiryLagMs: number;
  recoveriesWaiting: number;
  /** All changes of invoice statuses and attempts of callbacks ever made. */
  statusChanges: number;
  deliveryAttempts: number;
};

// For a chart, an append-only table's highest id is its count, for one step down its index.
// Attempts have no index by id, so their sequence is read.
const STATUS_CHANGES = 'coalesce((SELECT max(id) FROM invoice_events), 0)';
const DELIVERY_ATTEMPTS =
  '(SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM callback_attempts_id_seq)';

const INSERT = `
  INSERT INTO backlog_samples (at, callbacks_due, oldest_callback_ms, expiry_lag_ms,
                               recoveries_waiting, status_changes, delivery_attempts)
  SELECT $1, $2, $3, $4, $5, ${STATUS_CHANGES}, ${DELIVERY_ATTEMPTS}
  ON CONFLICT (at) DO NOTHING`;

/**
 * Stores the current backlog as this minute's sample, and deletes those older than a week. The
 * first of many workers in a minute takes it.
 */
export async function takeSample(db: pg.Pool, now: Date): Promise<void> {
  const at = new Date(Math.floor(now.getTime() / MINUTE_MS) * MINUTE_MS).toISOString();
  const known = await db.query('SELECT FROM backlog_samples WHERE at = $1', [at]);
  if (known.rowCount === 1) return;
  const backlog = await readBacklog(db, now);
  await db.query(INSERT, [
    at,
    backlog.callbacksDue,
    backlog.oldestUndeliveredMs,
    backlog.expiryLagMs,
    backlog.recoveriesWaiting,
  ]);
  await db.query('DELETE FROM backlog_samples WHERE at < $1', [
    new Date(now.getTime() - KEPT_MS).toISOString(),
  ]);
}

// A sample taken during the writing contains some of the attempts already.
const ADD = `
  UPDATE backlog_samples
  SET status_changes = least(status_changes + $1, ${STATUS_CHANGES}),
      delivery_attempts = least(delivery_attempts + $2, ${DELIVERY_ATTEMPTS})`;

/**
 * Makes the transaction's made-up changes and attempts count as older than all samples: the gateway
 * did not do them since the last one.
 */
export async function addToSamples(
  db: Queryable,
  written: Pick<BacklogSample, 'statusChanges' | 'deliveryAttempts'>,
): Promise<void> {
  await db.query(ADD, [written.statusChanges, written.deliveryAttempts]);
}

type Row = {
  at: Date;
  callbacks_due: number;
  oldest_callback_ms: string;
  expiry_lag_ms: string;
  recoveries_waiting: number;
  status_changes: string;
  delivery_attempts: string;
};

/** The samples since a time, the oldest first: a week's at most. */
export async function listSamples(db: Queryable, since: Date): Promise<BacklogSample[]> {
  const { rows } = await db.query<Row>(
    'SELECT * FROM backlog_samples WHERE at >= $1 ORDER BY at LIMIT 10080',
    [since.toISOString()],
  );
  return rows.map((row) => ({
    atMs: row.at.getTime(),
    callbacksDue: row.callbacks_due,
    oldestUndeliveredMs: Number(row.oldest_callback_ms),
    expiryLagMs: Number(row.expiry_lag_ms),
    recoveriesWaiting: row.recoveries_waiting,
    statusChanges: Number(row.status_changes),
    deliveryAttempts: Number(row.delivery_attempts),
  }));
}
