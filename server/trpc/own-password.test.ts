import { afterAll, beforeAll, expect, it } from 'vitest';
import { findSession } from '../auth/sessions.ts';
import { ACCOUNT_LIMIT, accountKey, signIn } from '../auth/sign-in.ts';
import { countTry } from '../auth/throttle.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { openMerchant } from '../testing/merchants.ts';
import { withOwnDataDir } from '../testing/settings.ts';
import { contextOf } from './context.ts';
import { createCaller } from './root.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const CHOSEN = 'correct horse battery';

// The folder for e-mailed notices.
withOwnDataDir();

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

it('who changes their password gets in with that browser, whatever strangers try', async () => {
  const { pool: db } = database;
  const { owner } = await openMerchant(db, {
    name: 'Shop',
    ownerEmail: 'owner@example.com',
    actor: { type: 'operator', id: null, label: 'test' },
    now: NOW,
  });
  const enter = (password: string, browserMarks: string | null) =>
    signIn(db, {
      ...{ email: owner.email, password, browserMarks, now: NOW },
      ...{ address: null, addressKey: 'test', userAgent: null },
    });
  const entered = await enter(owner.password, null);
  if (entered.outcome !== 'signed_in') throw new Error(entered.outcome);
  let kept = entered.browserMarks;
  const keep = async (marks: string) => {
    kept = marks;
  };
  const context = contextOf(await findSession(db, entered.sessionId, NOW), {
    ...{ db, environment: 'sandbox', address: null, now: NOW },
    browser: { marks: kept, keep },
  });
  const change = { proof: owner.password, password: CHOSEN };
  // The answer reveals nothing of the account.
  expect(await createCaller(context).security.changePassword(change)).toBeUndefined();
  for (let i = 0; i < ACCOUNT_LIMIT.max; i++) {
    await countTry(db, accountKey(owner.email), ACCOUNT_LIMIT, NOW);
  }
  expect((await enter(CHOSEN, null)).outcome).toBe('throttled');
  expect((await enter(CHOSEN, kept)).outcome).toBe('signed_in');
});
