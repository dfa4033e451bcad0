import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Queryable } from '../db/pool.ts';
import { newId } from '../lib/ids.ts';
import { openedAttempt } from '../testing/cut-off-attempts.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { createMerchantFixture, type MerchantFixture } from '../testing/factories.ts';
import { findAttempt } from './data.ts';
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
import type { AttemptStatus, DeclineReason } from './types.ts';

// A step writes two times into the row: its own, which the operator sees, and that of recovery's
// next look. An attempt that has ended is looked at no more.

const NOW = new Date('2026-11-21T12:00:00.000Z');
const LATER = new Date('2026-11-21T12:05:00.000Z');
const SECOND = 1_000;
const MINUTE = 60_000;
let database: TestDatabase;
let merchant: MerchantFixture;

beforeAll(async () => {
  database = await createTestDatabase();
  merchant = await createMerchantFixture(database.pool);
});
afterAll(() => database.drop());

const open = (now = NOW) => openedAttempt(database.pool, merchant.sandbox.tenant, now);

/** The attempt, and the time from `LATER` to its next look; null for never. */
async function rowOf(id: string) {
  const attempt = await findAttempt(database.pool, id);
  const { rows } = await database.pool.query<{ recover_at: Date | null }>(
    'SELECT recover_at FROM payment_attempts WHERE id = $1',
    [id],
  );
  const at = rows[0]?.recover_at ?? null;
  const reference = attempt?.authorisationId?.replace(`_${id}`, '');
  return { ...attempt, reference, nextLookMs: at && at.getTime() - LATER.getTime() };
}

test('an attempt that has just been opened is left to its process for a quarter of a minute', async () => {
  const { id } = await open(LATER);
  expect(await rowOf(id)).toMatchObject({
    status: 'authorising',
    updatedAtMs: LATER.getTime(),
    nextLookMs: 15 * SECOND,
  });
});

test('a challenge that another card replaces is released by the next look, as given up just now', async () => {
  const { id, invoiceId } = await open();
  const challenge = { authorisationId: `auth_${id}`, challengeUrl: null };
  await markChallenge(database.pool, id, challenge, NOW);
  const other = { id: newId('pay', LATER.getTime()), invoiceId, provider: 'sandbox' };
  await openAttempt(database.pool, { ...other, cardBrand: 'visa', cardLast4: '4242' }, LATER);
  expect(await rowOf(id)).toMatchObject({
    status: 'voiding',
    declineReason: 'challenge_abandoned',
    updatedAtMs: LATER.getTime(),
    nextLookMs: 0,
  });
});

type Before = { status: AttemptStatus; declineReason?: DeclineReason };
type Step = (db: Queryable, id: string) => Promise<unknown>;
type After = Before & { reference?: string; nextLookMs: number | null };

const decline =
  (reason: DeclineReason): Step =>
  (db, id) =>
    markDeclined(db, id, { reason, authorisationId: `new_${id}` }, LATER);
const voided: Step = async (db, id) => {
  const attempt = await findAttempt(db, id);
  return attempt && markVoided(db, attempt, LATER);
};
const captured: Step = (db, id) => markCaptured(db, id, bareSettlement(`auth_${id}`), LATER);
const late =
  (state: 'approved' | 'challenge'): Step =>
  (db, id) =>
    voidLate(db, id, { authorisationId: `new_${id}`, state }, LATER);
const challenged: Step = (db, id) =>
  markChallenge(db, id, { authorisationId: `new_${id}`, challengeUrl: null }, LATER);
const claim: Step = (db, id) => claimCapture(db, id, `new_${id}`, LATER);
const claimAfterEnd: Step = async (db, id) => {
  await db.query(
    `UPDATE invoices SET status = 'CANCELED'
     WHERE id = (SELECT invoice_id FROM payment_attempts WHERE id = $1)`,
    [id],
  );
  return claim(db, id);
};
const at =
  (step: (db: Queryable, id: string, now: Date) => Promise<boolean>): Step =>
  (db, id) =>
    step(db, id, LATER);

const SHORTLY = { nextLookMs: 10 * SECOND };
const IN_A_MINUTE = { nextLookMs: MINUTE };
const ONCE_MORE = { nextLookMs: 10 * MINUTE };
const NEVER = { nextLookMs: null };
const NEW = { reference: 'new' };
const LEFT = { declineReason: 'challenge_abandoned' } as const;
const REFUSED = { declineReason: 'processing_error' } as const;

test.each<[string, Before, Step, After]>([
  [
    'a challenge',
    { status: 'authorising' },
    challenged,
    { status: 'challenge', ...NEW, ...IN_A_MINUTE },
  ],
  [
    'a decline',
    { status: 'challenge' },
    decline('lost_card'),
    { status: 'declined', declineReason: 'lost_card', ...NEW, ...NEVER },
  ],
  [
    'a challenge that was left',
    { status: 'challenge' },
    decline('challenge_abandoned'),
    { status: 'abandoned', ...LEFT, ...NEW, ...NEVER },
  ],
  [
    'one that never arrived',
    { status: 'authorising' },
    at(markFailed),
    { status: 'failed', ...REFUSED, ...ONCE_MORE },
  ],
  [
    'a claim, by the reference of the approval',
    { status: 'challenge' },
    claim,
    { status: 'capturing', ...NEW, ...SHORTLY },
  ],
  [
    'a claim that is lost',
    { status: 'challenge' },
    claimAfterEnd,
    { status: 'voiding', ...NEW, ...SHORTLY },
  ],
  [
    'a capture that waits',
    { status: 'capturing' },
    at(holdCapture),
    { status: 'capturing', ...IN_A_MINUTE },
  ],
  ['a capture', { status: 'capturing' }, captured, { status: 'captured', ...NEVER }],
  [
    'a capture that is refused',
    { status: 'capturing' },
    at(releaseClaim),
    { status: 'voiding', ...REFUSED, nextLookMs: 0 },
  ],
  [
    'a challenge that is given up',
    { status: 'challenge' },
    at(giveUpChallenge),
    { status: 'voiding', ...LEFT, ...SHORTLY },
  ],
  [
    'a release after a refusal',
    { status: 'voiding', ...REFUSED },
    voided,
    { status: 'voided', ...REFUSED, ...NEVER },
  ],
  [
    'the release of a challenge',
    { status: 'voiding', ...LEFT },
    voided,
    { status: 'abandoned', ...LEFT, ...ONCE_MORE },
  ],
  [
    'a late approval',
    { status: 'declined', declineReason: 'lost_card' },
    late('approved'),
    { status: 'voiding', declineReason: 'lost_card', ...NEW, ...SHORTLY },
  ],
  [
    'a late challenge',
    { status: 'failed', ...REFUSED },
    late('challenge'),
    { status: 'voiding', ...LEFT, ...NEW, ...SHORTLY },
  ],
])('%s: from %j', async (_, before, step, after) => {
  const { pool } = database;
  const { id } = await open();
  await pool.query(
    `WITH before AS (
       UPDATE payment_attempts
       SET status = $2, decline_reason = $3, authorisation_id = 'auth_' || id, recover_at = $4
       WHERE id = $1 RETURNING id, invoice_id, status)
     UPDATE invoices i SET capture_attempt_id = b.id FROM before b
     WHERE i.id = b.invoice_id AND b.status = 'capturing'`,
    [id, before.status, before.declineReason ?? null, NOW],
  );
  await step(pool, id);
  expect(await rowOf(id)).toMatchObject({
    reference: 'auth',
    declineReason: null,
    updatedAtMs: LATER.getTime(),
    ...after,
  });
});
