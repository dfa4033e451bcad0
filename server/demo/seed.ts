import type { Pool } from 'pg';
import { inTransaction, type Queryable } from '../db/pool.ts';
import { forgetIndex } from '../invoices/finding/index-invoices.ts';
import { forgetHours } from '../invoices/lists/hours.ts';
import { CommandError } from '../lib/errors.ts';
import { type AuditActor, recordAudit } from '../merchants/audit.ts';
import { addToSamples } from '../operating/samples.ts';
import { type StoryContext, tellInvoice } from './invoice-story.ts';
import { randomFrom } from './random.ts';
import { creationTimes } from './rhythm.ts';
import { noRows, type SeedRows } from './rows.ts';
import { type Target, writeAudit, writeEventLog, writeRows } from './write.ts';

const BATCH = 2_000;
const TAG = 'demo-';

export type SeedRequest = {
  /** Null for the merchant that a first start made. */
  merchantId: string | null;
  invoices: number;
  /** The same seed and time make the same data, except for ids, which nobody may guess. */
  seed: number;
  publicUrl: string;
  actor: AuditActor;
  now: Date;
  onProgress: (written: number) => void;
};

/** The merchant that a first start makes for trying things out. */
export async function findDemoMerchant(db: Queryable): Promise<string | null> {
  const { rows } = await db.query<{ id: string }>(
    `SELECT a.merchant_id AS id FROM audit_log a JOIN merchants m ON m.id = a.merchant_id
     WHERE a.action = 'merchant.create' AND a.actor_label = 'first start'
     ORDER BY a.id DESC LIMIT 1`,
  );
  return rows[0]?.id ?? null;
}

async function hasRealTraffic(db: Queryable, merchantId: string): Promise<boolean> {
  const { rows } = await db.query<{ real: boolean }>(
    `SELECT EXISTS (SELECT FROM invoices WHERE merchant_id = $1
       AND (environment = 'production' OR request_id IS NULL OR request_id NOT LIKE '${TAG}%')) AS real`,
    [merchantId],
  );
  return rows[0]?.real ?? false;
}

/** The merchant that gets the data; made-up payments would falsify the books beside real ones. */
async function findTarget(db: Queryable, { merchantId }: SeedRequest): Promise<Target> {
  const demo = await findDemoMerchant(db);
  const id = merchantId ?? demo;
  if (id === null) {
    throw new CommandError('There is no demo merchant here: name one by --merchant.');
  }
  const { rows } = await db.query<{ user_id: string | null; email: string | null }>(
    `SELECT u.id AS user_id, u.email FROM merchants m
     LEFT JOIN memberships s ON s.merchant_id = m.id LEFT JOIN users u ON u.id = s.user_id
     WHERE m.id = $1 ORDER BY s.created_at, u.id LIMIT 1`,
    [id],
  );
  const [row] = rows;
  if (!row) throw new CommandError(`There is no merchant ${id}.`);
  if (id !== demo && (await hasRealTraffic(db, id))) {
    throw new CommandError(
      `Merchant ${id} has invoices of its own: made-up ones are written for the demo merchant or an empty one.`,
    );
  }
  const { user_id: userId, email } = row;
  return { merchantId: id, staff: userId && email ? { id: userId, email } : null };
}

async function refuseRepeat(db: Queryable, { merchantId }: Target, tag: string): Promise<void> {
  const { rowCount } = await db.query(
    `SELECT FROM invoices WHERE merchant_id = $1 AND environment = 'sandbox'
       AND merchant_transaction_id >= $2 AND merchant_transaction_id < $3 LIMIT 1`,
    [merchantId, tag, `${tag}~`],
  );
  if (rowCount === 0) return;
  throw new CommandError('This seed is there already: take another by --seed.');
}

/**
 * Writes made-up invoices of the last 90 days into one merchant's sandbox, with payments,
 * refunds, the acquirer's books, callbacks, events and staff actions that agree with each other. Writes all of them or,
 * when anything fails, none. Nothing in them is sent by itself for at least two years.
 */
export async function seedDemo(
  pool: Pool,
  request: SeedRequest,
): Promise<{ merchantId: string; invoices: number }> {
  const { invoices, seed, now, publicUrl, actor } = request;
  const tag = `${TAG}${seed}-`;
  const merchantId = await inTransaction(pool, async (db) => {
    const target = await findTarget(db, request);
    await refuseRepeat(db, target, tag);
    const random = randomFrom(seed);
    const nowMs = now.getTime();
    const context: StoryContext = { tag, nowMs, publicUrl, staffId: target.staff?.id ?? null };
    const times = creationTimes(invoices, nowMs, random);
    const audit: SeedRows['audit'] = [];
    const written = { statusChanges: 0, deliveryAttempts: 0 };
    let writing = Promise.resolve();
    for (let start = 0; start < invoices; start += BATCH) {
      const rows = noRows();
      for (const [index, createdMs] of times.slice(start, start + BATCH).entries()) {
        tellInvoice(rows, { number: start + index + 1, createdMs }, context, random);
      }
      // The next batch is generated while this one is written.
      await writing;
      writing = writeRows(db, target, rows);
      audit.push(...rows.audit);
      written.statusChanges += rows.events.length;
      written.deliveryAttempts += rows.callbackAttempts.length;
      request.onProgress(Math.min(start + BATCH, invoices));
    }
    await writing;
    await writeAudit(db, target, audit);
    await writeEventLog(db, target);
    if (times[0] !== undefined) await forgetHours(db, times[0]);
    await forgetIndex(db, { merchantId: target.merchantId, environment: 'sandbox' });
    await recordAudit(db, {
      actor,
      now,
      action: 'demo.seed',
      merchantId: target.merchantId,
      environment: 'sandbox',
      details: { invoices, seed },
    });
    await addToSamples(db, written);
    return target.merchantId;
  });
  // This many new rows change every plan; the planner need not wait for the next autovacuum.
  await pool.query(
    'VACUUM (ANALYZE) invoices, callbacks, callback_attempts, payment_attempts, refunds, events',
  );
  return { merchantId, invoices };
}
