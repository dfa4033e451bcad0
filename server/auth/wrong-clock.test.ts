import { encode } from 'next-auth/jwt';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { readClockOffset } from '../db/clock-offset.ts';
import { createMerchant } from '../merchants/mutations.ts';
import { settings } from '../settings/settings.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { withOwnDataDir } from '../testing/settings.ts';
import { createContext } from '../trpc/context.ts';
import { authOptions } from './next-auth.ts';
import { requestReset } from './password-reset.ts';
import { createSession, findSession } from './sessions.ts';
import { passwordLinkOwner } from './signed-out.ts';

const HOUR_MS = 3_600_000;
const PASSWORD = 'correct horse battery';
const CALLER = {
  address: null,
  addressKey: 'test',
  userAgent: null,
  browserMarks: null,
  sessionBefore: null,
};

const process = vi.hoisted(() => ({ pool: null as unknown }));
vi.mock('../db/pool.ts', async (original) => ({
  ...(await original<typeof import('../db/pool.ts')>()),
  getPool: () => process.pool,
}));

withOwnDataDir();

let database: TestDatabase;
let userId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  process.pool = database.pool;
  const { owner } = await createMerchant(database.pool, {
    name: 'Shop',
    ownerEmail: 'owner@example.com',
    ownerPassword: PASSWORD,
    actor: { type: 'operator', id: null, label: 'test' },
    now: new Date(),
  });
  userId = owner.userId;
});
afterEach(async () => {
  vi.useRealTimers();
  await readClockOffset(database.pool);
});
afterAll(() => database.drop());

type Authorize = (given: Record<string, string>) => Promise<{ id: string } | null>;

/** As the door of sign-ins does it. */
function signIn(password: string): Promise<{ id: string } | null> {
  const [byPassword] = authOptions(CALLER, {
    stillOpen: () => undefined,
    known: () => undefined,
  }).providers;
  const { authorize } = (byPassword as unknown as { options: { authorize: Authorize } }).options;
  return authorize({ email: 'owner@example.com', password });
}

async function setClock(aheadMs: number): Promise<void> {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + aheadMs });
  await readClockOffset(database.pool);
}

it('a sign-in where the clock is ahead ends nobody’s session, and its own lasts a week', async () => {
  const now = new Date();
  const session = { userId, address: null, userAgent: null, now };
  const { id } = await createSession(database.pool, session);
  await setClock(8 * 24 * HOUR_MS);
  const made = await signIn(PASSWORD);
  expect(await findSession(database.pool, id, now)).not.toBeNull();
  const { rows } = await database.pool.query(
    `SELECT extract(epoch FROM expires_at - clock_timestamp())::float8 / 86400 AS days
     FROM sessions WHERE id = $1`,
    [made?.id],
  );
  expect(rows[0]?.days).toBeCloseTo(7, 2);
});

it('tries where the clock was ahead shut nobody out for longer than a quarter of an hour', async () => {
  await setClock(3 * HOUR_MS);
  for (let tries = 0; tries < 11; tries++) await signIn('wrong').catch(() => null);
  const { rows } = await database.pool.query(
    `SELECT max(ends_at) < clock_timestamp() + interval '16 minutes' AS soon FROM throttles`,
  );
  expect(rows).toEqual([{ soon: true }]);
});

it.each([
  ['behind', -2 * HOUR_MS, -HOUR_MS, false],
  ['ahead', 2 * HOUR_MS, HOUR_MS, true],
])('where the clock is %s a session runs until its end', async (_, aheadMs, endsInMs, runs) => {
  const now = new Date();
  const session = { userId, address: null, userAgent: null, now };
  const { id } = await createSession(database.pool, session);
  const end = new Date(now.getTime() + endsInMs).toISOString();
  await database.pool.query('UPDATE sessions SET expires_at = $2 WHERE id = $1', [id, end]);
  await setClock(aheadMs);
  const token = await encode({ token: { sub: id }, secret: settings().authSecret });
  const cookies = { 'next-auth.session-token': token };
  const context = await createContext({ cookies, environment: 'sandbox', address: null });
  expect(context.session !== null).toBe(runs);
});

it('a letter’s link for a new password works where the clock is ahead as well', async () => {
  const email = 'owner@example.com';
  const asked = await requestReset(database.pool, { email, addressKey: 'test', now: new Date() });
  const { token = '' } = (asked.outcome === 'accepted' && asked.letter) || {};
  await setClock(3 * HOUR_MS);
  expect(await passwordLinkOwner(token)).toMatchObject({ email });
});
