import type { TRPCError } from '@trpc/server';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSession, findSession, type StaffSession, switchMerchant } from '../auth/sessions.ts';
import { createMerchant, type NewMerchant } from '../merchants/mutations.ts';
import { beginImpersonation, IMPERSONATION_LIMIT_MS } from '../operating/impersonation.ts';
import { addOperator } from '../operating/operators.ts';
import { findOrCreateUser, setMember } from '../staff/members.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { useSession } from '../testing/staff.ts';
import { contextOf } from './context.ts';
import { createCaller } from './root.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const OPERATOR = { type: 'operator', id: null, label: 'test' } as const;

let database: TestDatabase;
let first: NewMerchant;
let second: NewMerchant;
let session: StaffSession;

beforeAll(async () => {
  database = await createTestDatabase();
  const { pool } = database;
  first = await createMerchant(pool, {
    name: 'First',
    ownerEmail: 'both@example.com',
    actor: OPERATOR,
    now: NOW,
  });
  second = await createMerchant(pool, {
    name: 'Second',
    ownerEmail: 'both@example.com',
    actor: OPERATOR,
    now: NOW,
  });
  const { userId } = first.owner;
  await setMember(pool, { merchantId: second.merchantId, userId, role: 'owner', now: NOW });
  const { id } = await createSession(pool, { userId, address: null, userAgent: null, now: NOW });
  const begun = await findSession(pool, id, NOW);
  if (!begun) throw new Error('no session');
  await switchMerchant(pool, begun, second.merchantId);
  const found = await findSession(pool, id, NOW);
  if (!found) throw new Error('no session');
  session = found;
});
afterAll(() => database.drop());

/** The procedures as that merchant's page calls them; undefined means within the process. */
function callerFrom(shownMerchantId: string | null | undefined, by: StaffSession = session) {
  const request = { db: database.pool, environment: 'sandbox', address: null, now: NOW } as const;
  return createCaller(contextOf(by, { ...request, shownMerchantId }));
}

const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'OK',
    (error: unknown) => (error as TRPCError).code,
  );

async function tokensMade(): Promise<number> {
  const { rowCount } = await database.pool.query(`SELECT FROM api_tokens WHERE name = 'Pressed'`);
  return rowCount ?? 0;
}

const TOKEN = { name: 'Pressed', expiresInDays: null };

it('a page of another merchant than the session’s changes nothing and reads nothing', async () => {
  for (const shown of [first.merchantId, '', 'x']) {
    const stale = callerFrom(shown);
    expect(await codeOf(stale.developers.createToken(TOKEN))).toBe('PRECONDITION_FAILED');
    expect(await codeOf(stale.invoices.list({}))).toBe('PRECONDITION_FAILED');
  }
  expect(await tokensMade()).toBe(0);
});

it('a change that does not say whose page it comes from is refused, reading is not', async () => {
  const silent = callerFrom(null);
  await expect(silent.developers.createToken(TOKEN)).rejects.toMatchObject({
    code: 'PRECONDITION_FAILED',
    message: 'This page is from an earlier version of the gateway. Reload it.',
  });
  expect(await tokensMade()).toBe(0);
  expect(await codeOf(silent.invoices.list({}))).toBe('OK');
});

it('the page of the session’s merchant does both, and a page that is being made reads', async () => {
  const current = callerFrom(second.merchantId);
  expect(await codeOf(current.developers.createToken(TOKEN))).toBe('OK');
  expect(await tokensMade()).toBe(1);
  expect(await codeOf(current.invoices.list({}))).toBe('OK');
  expect(await codeOf(callerFrom(undefined).invoices.list({}))).toBe('OK');
});

it('what concerns the person alone does not ask whose page it is', async () => {
  const stale = callerFrom(first.merchantId);
  expect(await codeOf(stale.account.endOtherSessions())).toBe('OK');
  expect(await codeOf(stale.account.switchMerchant({ merchantId: second.merchantId }))).toBe('OK');
});

it('the page of a merchant that an operator acts for no longer says to load it again', async () => {
  const { pool } = database;
  const { merchantId } = first;
  const email = 'operator@example.com';
  await addOperator(pool, { email, actor: OPERATOR, now: NOW });
  const { id: userId } = await findOrCreateUser(pool, { email, now: NOW });
  const { id } = await createSession(pool, { userId, address: null, userAgent: null, now: NOW });
  await beginImpersonation(pool, { sessionId: id, merchantId, actor: OPERATOR, now: NOW });
  const acting = await findSession(pool, id, NOW);
  const hourOver = new Date(NOW.getTime() + IMPERSONATION_LIMIT_MS);
  await useSession(pool, id, NOW, hourOver);
  const over = await findSession(pool, id, hourOver);
  if (!acting || !over) throw new Error('no session');
  expect(await codeOf(callerFrom(merchantId, acting).invoices.list({}))).toBe('OK');
  const stale = callerFrom(merchantId, over);
  expect(await codeOf(stale.invoices.list({}))).toBe('PRECONDITION_FAILED');
  expect(await codeOf(stale.developers.createToken(TOKEN))).toBe('PRECONDITION_FAILED');
  for (const shown of [null, undefined]) {
    expect(await codeOf(callerFrom(shown, over).developers.createToken(TOKEN))).toBe('FORBIDDEN');
  }
});
