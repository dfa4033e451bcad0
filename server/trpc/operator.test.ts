import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { createSession, findSession, type StaffSession } from '../auth/sessions.ts';
import { addOperator } from '../operating/operators.ts';
import { settings } from '../settings/settings.ts';
import { insertDue } from '../testing/callbacks.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { createMerchantFixture } from '../testing/factories.ts';
import { forgetSettings } from '../testing/settings.ts';
import { contextOf, tenantFor } from './context.ts';
import { createCaller } from './root.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const HOUR_BEFORE = new Date(NOW.getTime() - 3_600_000);
const SHOWN = 20;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

async function callerOfOperator() {
  const { pool } = database;
  const email = 'operator@example.com';
  const actor = { type: 'operator', id: null, label: 'test' } as const;
  await addOperator(pool, { email, actor, now: NOW });
  const { rows } = await pool.query<{ id: string }>('SELECT id FROM users WHERE email = $1', [
    email,
  ]);
  const userId = rows[0]?.id ?? '';
  const { id } = await createSession(pool, { userId, address: null, userAgent: null, now: NOW });
  const session = await findSession(pool, id, NOW);
  return createCaller(
    contextOf(session, { db: pool, environment: 'sandbox', address: null, now: NOW }),
  );
}

/** Makes payments that recovery has tried in vain for an hour. */
async function getStuck(count: number): Promise<void> {
  const { id: merchantId } = await createMerchantFixture(database.pool);
  const due = { merchantId, url: 'http://x/', at: HOUR_BEFORE, count };
  await database.pool.query(
    `INSERT INTO payment_attempts (id, invoice_id, status, provider, amount_minor, currency,
       card_brand, card_last4, created_at, updated_at, recover_at)
     SELECT 'pay_' || id, id, 'voiding', 'sandbox', 1500, 'USD', 'visa', '4242', $2, $2, $2
     FROM unnest($1::text[]) AS id`,
    [await insertDue(database.pool, due), HOUR_BEFORE.toISOString()],
  );
}

it('the overview says when more payments are stuck than it shows', async () => {
  const { operator } = await callerOfOperator();
  await getStuck(SHOWN);
  const all = await operator.overview({ environment: 'sandbox' });
  expect(all.failedRecoveries).toHaveLength(SHOWN);
  expect(all.failedRecoveriesIsMore).toBe(false);
  await getStuck(1);
  const some = await operator.overview({ environment: 'sandbox' });
  expect(some.failedRecoveries).toHaveLength(SHOWN);
  expect(some.failedRecoveriesIsMore).toBe(true);
});

it('a new merchant is told the addresses at which merchants call, not the operator’s own', async () => {
  const { operator } = await callerOfOperator();
  const made = await operator.createMerchant({ name: 'New', ownerEmail: 'new@example.com' });
  const { publicUrl } = settings();
  expect(made.sandbox.baseUrl).toBe(`${publicUrl}/api/sandbox`);
  expect(made.production.baseUrl).toBe(`${publicUrl}/api/production`);
});

it('a new owner’s link is for the operator to hand over, where no e-mail can carry it', async () => {
  const { operator } = await callerOfOperator();
  const wish = { name: 'New', ownerEmail: 'linked@example.com' };
  const { owner } = await operator.createMerchant(wish);
  expect(owner).toEqual({
    email: 'linked@example.com',
    link: {
      url: expect.stringMatching(/^http:\/\/localhost:3000\/dashboard\/new-password\/\w{43}$/),
      isSent: false,
      expiresAtMs: NOW.getTime() + 7 * 24 * 3_600_000,
    },
  });
});

it('of a link that an e-mail carries it hears nothing', async () => {
  const { operator } = await callerOfOperator();
  vi.stubEnv('SMTP_URL', 'smtp://127.0.0.1:1');
  forgetSettings();
  onTestFinished(() => {
    vi.unstubAllEnvs();
    forgetSettings();
  });
  const made = await operator.createMerchant({ name: 'New', ownerEmail: 'lettered@example.com' });
  expect(made.owner.link).toMatchObject({ url: null, isSent: false });
  expect(JSON.stringify(made)).not.toMatch(/new-password|"token"/);
});

it('an owner who has never come in gets another link, and the page tells of them', async () => {
  const { operator } = await callerOfOperator();
  const wish = { name: 'New', ownerEmail: 'waits@example.com' };
  const { merchantId, owner } = await operator.createMerchant(wish);
  const { waitingOwners } = await operator.merchant({ merchantId });
  expect(waitingOwners.map(({ email }) => email)).toEqual(['waits@example.com']);
  const userId = waitingOwners[0]?.userId ?? '';
  const renewed = await operator.renewOwnerLink({ merchantId, userId });
  expect(renewed.url).toMatch(/^http:\/\/localhost:3000\/dashboard\/new-password\/\w{43}$/);
  expect(renewed.url).not.toBe(owner.link?.url);
});

it('nobody else has the scope of any merchant', () => {
  const session = { isOperator: false } as StaffSession;
  expect(() => tenantFor(session, 'mer_1', 'sandbox')).toThrow('only an operator');
});
