import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Queryable } from '../db/pool.ts';
import { cancelInvoice } from '../invoices/cancel.ts';
import { newId } from '../lib/ids.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { createMerchantFixture } from '../testing/factories.ts';
import { createTestInvoice } from '../testing/invoices.ts';
import { findAttempt, findHolder } from './data.ts';
import {
  bareSettlement,
  claimCapture,
  giveUpChallenge,
  holdCapture,
  markCaptured,
  markChallenge,
  markDeclined,
  markFailed,
  markVoided,
  openAttempt,
  releaseClaim,
  voidLate,
} from './mutations.ts';
import { setRecheck } from './rechecks.ts';
import { ATTEMPT_STATUSES, type AttemptStatus } from './types.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const LATER = new Date('2026-11-21T12:05:00.000Z');
let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** An invoice of a separate merchant. */
async function createOne(): Promise<string> {
  const { sandbox } = await createMerchantFixture(database.pool);
  return createTestInvoice(database.pool, sandbox.tenant, { now: NOW });
}

/** Opens an attempt; its id, or null where it was not opened. */
async function open(invoiceId: string): Promise<string | null> {
  const id = newId('pay', NOW.getTime());
  const card = { cardBrand: 'visa', cardLast4: '4242' } as const;
  const attempt = { id, invoiceId, provider: 'sandbox', ...card };
  return (await openAttempt(database.pool, attempt, NOW)) ? id : null;
}

async function openChallenge(invoiceId: string): Promise<string> {
  const id = await open(invoiceId);
  if (!id) throw new Error('not opened');
  await markChallenge(
    database.pool,
    id,
    { authorisationId: `auth_${id}`, challengeUrl: null },
    NOW,
  );
  return id;
}

const statusOf = async (id: string) => (await findAttempt(database.pool, id))?.status;

/** Gives the claim on an invoice to another attempt that has no row. */
async function holdClaim(invoiceId: string): Promise<void> {
  const sql = "UPDATE invoices SET capture_attempt_id = 'pay_other' WHERE id = $1";
  await database.pool.query(sql, [invoiceId]);
}

async function claimantOf(invoiceId: string): Promise<string | null | undefined> {
  const sql = 'SELECT capture_attempt_id FROM invoices WHERE id = $1';
  const { rows } = await database.pool.query<{ capture_attempt_id: string | null }>(sql, [
    invoiceId,
  ]);
  return rows[0]?.capture_attempt_id;
}

describe('opening an attempt', () => {
  test('is refused while a capture is claimed, whatever the attempts say', async () => {
    const invoiceId = await createOne();
    await holdClaim(invoiceId);
    expect(await open(invoiceId)).toBeNull();
  });

  test('is refused where the invoice has ended since it was read: no card is asked for it', async () => {
    const { sandbox } = await createMerchantFixture(database.pool);
    const invoiceId = await createTestInvoice(database.pool, sandbox.tenant, { now: NOW });
    const context = { actor: { type: 'api' } as const, now: NOW };
    await cancelInvoice(database.pool, sandbox.tenant, invoiceId, context);
    expect(await open(invoiceId)).toBeNull();
  });

  test('gives up the challenge of its own invoice, and that of no other', async () => {
    const invoiceId = await createOne();
    const left = await openChallenge(invoiceId);
    const others = await openChallenge(await createOne());
    expect(await open(invoiceId)).not.toBeNull();
    expect(await statusOf(left)).toBe('voiding');
    expect(await statusOf(others)).toBe('challenge');
  });

  test('waits while the capture of a challenge is claimed, with nothing in its way', async () => {
    const { pool } = database;
    const invoiceId = await createOne();
    const challenged = await openChallenge(invoiceId);

    const claiming = await pool.connect();
    await claiming.query('BEGIN');
    // A claim locks this row first.
    await claiming.query('SELECT FROM payment_attempts WHERE id = $1 FOR UPDATE', [challenged]);
    const opened = open(invoiceId);
    const { rows } = await claiming.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const waiting = `SELECT FROM pg_stat_activity WHERE ${rows[0]?.pid} = ANY (pg_blocking_pids(pid))`;
    await expect.poll(async () => (await pool.query(waiting)).rowCount).toBe(1);
    expect(await claimCapture(claiming, challenged, 'auth_1', NOW)).toBe('capturing');
    await claiming.query('COMMIT');
    claiming.release();

    expect(await opened).toBeNull();
    expect(await statusOf(challenged)).toBe('capturing');
  });
});

/** Resolves when a statement waits for a lock of the connection. */
async function untilOneWaitsFor(client: Queryable): Promise<void> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const waiting = `SELECT FROM pg_stat_activity WHERE ${rows[0]?.pid} = ANY (pg_blocking_pids(pid))`;
  await expect.poll(async () => (await database.pool.query(waiting)).rowCount).toBe(1);
}

describe('the claim to capture', () => {
  test('is lost to another that is held, which stays: the authorisation is to be voided', async () => {
    const invoiceId = await createOne();
    const id = await openChallenge(invoiceId);
    await holdClaim(invoiceId);
    expect(await claimCapture(database.pool, id, `auth_${id}`, NOW)).toBe('voiding');
    expect(await claimantOf(invoiceId)).toBe('pay_other');
  });

  test('is given back by the attempt that holds it, and by no other', async () => {
    const { pool } = database;
    for (const isHolder of [true, false]) {
      const invoiceId = await createOne();
      const id = await openChallenge(invoiceId);
      await claimCapture(pool, id, `auth_${id}`, NOW);
      if (!isHolder) await holdClaim(invoiceId);
      await releaseClaim(pool, id, NOW);
      expect(await claimantOf(invoiceId)).toBe(isHolder ? null : 'pay_other');
    }
  });

  test('of two that carry the same answer one has it, and the other leaves the attempt alone', async () => {
    const { pool } = database;
    const id = await openChallenge(await createOne());
    const first = await pool.connect();
    await first.query('BEGIN');
    expect(await claimCapture(first, id, `auth_${id}`, NOW)).toBe('capturing');
    const second = claimCapture(pool, id, `auth_${id}`, NOW);
    await untilOneWaitsFor(first);
    await first.query('COMMIT');
    first.release();
    expect(await second).toBeNull();
    expect(await statusOf(id)).toBe('capturing');
  });
});

test('when an attempt is looked at next is said by nobody who knows it in another status', async () => {
  const { pool } = database;
  const id = await openChallenge(await createOne());
  await giveUpChallenge(pool, id, NOW);
  const dueAt = async () => {
    const sql = 'SELECT recover_at FROM payment_attempts WHERE id = $1';
    return (await pool.query<{ recover_at: Date | null }>(sql, [id])).rows[0]?.recover_at;
  };
  const before = await dueAt();
  await setRecheck(pool, { id, status: 'abandoned' }, 'never', NOW);
  expect(before).not.toBeNull();
  expect(await dueAt()).toEqual(before);
});

test('of a challenge another authorisation is not taken over, nor is its own forgotten with a decline', async () => {
  const { pool } = database;
  const id = await openChallenge(await createOne());
  const other = { authorisationId: 'auth_other', challengeUrl: 'https://bank.example/3ds' };
  expect(await markChallenge(pool, id, other, NOW)).toBe(false);
  await markDeclined(pool, id, { reason: 'lost_card', authorisationId: null }, NOW);
  expect(await findAttempt(pool, id)).toMatchObject({
    status: 'declined',
    authorisationId: `auth_${id}`,
  });
});

test('the address of a challenge is added once, and then stays', async () => {
  const { pool } = database;
  const id = await openChallenge(await createOne());
  const tell = (challengeUrl: string) =>
    markChallenge(pool, id, { authorisationId: `auth_${id}`, challengeUrl }, NOW);
  expect(await tell('https://bank.example/first')).toBe(true);
  expect(await tell('https://bank.example/second')).toBe(false);
  expect((await findAttempt(pool, id))?.challengeUrl).toBe('https://bank.example/first');
});

type Step = (db: Queryable, attemptId: string, now: Date) => Promise<boolean>;

describe('a step of an attempt', () => {
  const challenge: Step = (db, id, now) =>
    markChallenge(db, id, { authorisationId: 'auth_2', challengeUrl: null }, now);
  const decline: Step = (db, id, now) =>
    markDeclined(db, id, { reason: 'lost_card', authorisationId: null }, now);
  const voided: Step = async (db, id, now) => {
    const attempt = await findAttempt(db, id);
    return attempt !== null && markVoided(db, attempt, now);
  };
  const captured: Step = (db, id, now) => markCaptured(db, id, bareSettlement(`auth_${id}`), now);
  const late =
    (state: 'approved' | 'challenge'): Step =>
    (db, id, now) =>
      voidLate(db, id, { authorisationId: `late_${id}`, state }, now);

  test.each<[string, AttemptStatus[], Step]>([
    ['markChallenge', ['authorising'], challenge],
    ['markDeclined', ['authorising', 'challenge'], decline],
    ['markFailed', ['authorising'], markFailed],
    ['holdCapture', ['capturing'], holdCapture],
    ['markCaptured', ['capturing'], captured],
    ['releaseClaim', ['capturing'], releaseClaim],
    ['giveUpChallenge', ['challenge'], giveUpChallenge],
    ['markVoided', ['voiding'], voided],
    [
      'voidLate of an approval',
      ['voiding', 'voided', 'declined', 'abandoned', 'failed'],
      late('approved'),
    ],
    ['voidLate of a challenge', ['failed'], late('challenge')],
  ])('%s is taken from %j; in any other status nothing changes', async (_, from, step) => {
    const { pool } = database;
    const id = await openChallenge(await createOne());
    const read = async () => {
      const { rows } = await pool.query(
        `SELECT p.*, i.capture_attempt_id FROM payment_attempts p
         JOIN invoices i ON i.id = p.invoice_id WHERE p.id = $1`,
        [id],
      );
      return rows;
    };
    const taken: string[] = [];
    for (const status of ATTEMPT_STATUSES) {
      await pool.query('UPDATE payment_attempts SET status = $2 WHERE id = $1', [id, status]);
      // Without the claim there would be nothing to release.
      await pool.query(
        `UPDATE invoices i SET capture_attempt_id = p.id FROM payment_attempts p
         WHERE p.id = $1 AND i.id = p.invoice_id`,
        [id],
      );
      const before = await read();
      if (await step(pool, id, LATER)) taken.push(status);
      else expect(await read()).toEqual(before);
    }
    expect(taken).toEqual(from);
  });
});

test('an authorisation is held by another attempt of its own provider, and not of one that uses the same id', async () => {
  const { pool } = database;
  const id = await openChallenge(await createOne());
  const asked = (provider: string) => findHolder(pool, { id: 'pay_none', provider }, `auth_${id}`);
  expect(await asked('sandbox')).toBe(id);
  expect(await asked('another')).toBeNull();
  // Neither the asking attempt nor one that has ended counts.
  expect(await findHolder(pool, { id, provider: 'sandbox' }, `auth_${id}`)).toBeNull();
  await markDeclined(pool, id, { reason: 'lost_card', authorisationId: null }, NOW);
  expect(await asked('sandbox')).toBeNull();
});
