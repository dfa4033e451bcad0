import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { type OpenedMerchant, openMerchant } from '../testing/merchants.ts';
import { signOut } from './end-sessions.ts';
import { endOtherSessions, findSession, switchMerchant } from './sessions.ts';
import { ACCOUNT_LIMIT, ADDRESS_LIMIT, signIn } from './sign-in.ts';
import { countTry } from './throttle.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const LATER = new Date(NOW.getTime() + ACCOUNT_LIMIT.windowMs);
const OPERATOR = { type: 'operator', id: null, label: 'test' } as const;

let database: TestDatabase;
let serial = 0;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

function merchant(ownerEmail = `owner-${++serial}@example.com`): Promise<OpenedMerchant> {
  return openMerchant(database.pool, { name: 'Shop', ownerEmail, actor: OPERATOR, now: NOW });
}

function attempt(
  email: string,
  password: string,
  more: { now?: Date; address?: string; browserMarks?: string; sessionBefore?: string } = {},
) {
  const address = more.address ?? `2001:db8::${++serial}`;
  return signIn(database.pool, {
    email,
    password,
    address,
    addressKey: address,
    userAgent: 'test',
    browserMarks: more.browserMarks ?? null,
    sessionBefore: more.sessionBefore ?? null,
    now: more.now ?? NOW,
  });
}

async function entered({ owner }: OpenedMerchant, more: { browserMarks?: string } = {}) {
  const result = await attempt(owner.email, owner.password, more);
  if (result.outcome !== 'signed_in') throw new Error(result.outcome);
  return result;
}

const sessionOf = async (merchant: OpenedMerchant) => (await entered(merchant)).sessionId;

/** Uses up the tries of an account, or of one of its browsers. */
async function useUp(email: string, browserMarks?: string): Promise<void> {
  for (let i = 0; i < ACCOUNT_LIMIT.max; i++) {
    const { outcome } = await attempt(email, 'wrong', browserMarks ? { browserMarks } : {});
    expect(outcome).toBe('refused');
  }
}

it('a session for the right password, whatever the case of the address', async () => {
  const { owner, merchantId } = await merchant();
  const result = await attempt(` ${owner.email.toUpperCase()} `, owner.password);
  if (result.outcome !== 'signed_in') throw new Error(result.outcome);
  const session = await findSession(database.pool, result.sessionId, NOW);
  expect(session?.merchant).toMatchObject({ id: merchantId, role: 'owner' });
});

it('who signs in again ends the session that their browser had, and no other', async () => {
  const { owner } = await merchant();
  const enter = async (password: string, sessionBefore?: string) => {
    const result = await attempt(owner.email, password, sessionBefore ? { sessionBefore } : {});
    return result.outcome === 'signed_in' ? result.sessionId : null;
  };
  const [elsewhere, before] = [await enter(owner.password), await enter(owner.password)];
  const runs = async (id: string | null) =>
    (await findSession(database.pool, id ?? '', NOW)) !== null;
  expect(await enter('wrong', before ?? '')).toBeNull();
  expect(await runs(before)).toBe(true);
  const after = await enter(owner.password, before ?? '');
  expect([await runs(elsewhere), await runs(before), await runs(after)]).toEqual([
    true,
    false,
    true,
  ]);
});

it('one and the same refusal for a wrong password, an unknown and a disabled account', async () => {
  const { owner } = await merchant();
  expect(await attempt(owner.email, 'wrong')).toEqual({ outcome: 'refused' });
  expect(await attempt('nobody@example.com', 'wrong')).toEqual({ outcome: 'refused' });
  expect(await attempt('nul\0@example.com', 'wrong')).toEqual({ outcome: 'refused' });
  await database.pool.query('UPDATE users SET disabled_at = now() WHERE id = $1', [owner.userId]);
  expect(await attempt(owner.email, owner.password)).toEqual({ outcome: 'refused' });
});

it('no more than ten tries in a quarter of an hour for an account, known or not', async () => {
  const { owner } = await merchant();
  for (const email of [owner.email, 'unknown@example.com']) {
    const tries = await Promise.all(
      Array.from({ length: ACCOUNT_LIMIT.max + 5 }, () => attempt(email, 'wrong')),
    );
    expect(tries.filter(({ outcome }) => outcome === 'refused')).toHaveLength(ACCOUNT_LIMIT.max);
  }
  expect((await attempt(owner.email, owner.password)).outcome).toBe('throttled');
  expect((await attempt(owner.email, owner.password, { now: LATER })).outcome).toBe('signed_in');
});

it('strangers’ tries shut no browser out that its person has signed in with before', async () => {
  const shop = await merchant();
  const { email, password } = shop.owner;
  const { browserMarks } = await entered(shop);
  await useUp(email);
  expect((await attempt(email, password)).outcome).toBe('throttled');
  const known = await attempt(email, password, { browserMarks });
  if (known.outcome !== 'signed_in') throw new Error(known.outcome);
  // Strangers get no more tries from it either.
  expect((await attempt(email, password)).outcome).toBe('throttled');
  expect((await attempt(email, password, known)).outcome).toBe('signed_in');
});

it('a browser that an account knows has ten tries of its own, no more', async () => {
  const shop = await merchant();
  const { email, password } = shop.owner;
  const { browserMarks } = await entered(shop);
  await useUp(email, browserMarks);
  expect((await attempt(email, password, { browserMarks })).outcome).toBe('throttled');
  expect((await attempt(email, password, { browserMarks, now: LATER })).outcome).toBe('signed_in');
});

it('a browser that several people share knows each of them', async () => {
  const [shop, other] = [await merchant(), await merchant()];
  const { email, password } = shop.owner;
  const { browserMarks } = await entered(other, await entered(shop));
  await useUp(email);
  expect((await attempt(email, password)).outcome).toBe('throttled');
  expect((await attempt(email, password, { browserMarks })).outcome).toBe('signed_in');
});

it('a mark of another account, of the password before or a forged one is worth nothing', async () => {
  const [shop, other] = [await merchant(), await merchant()];
  const { email, password, userId } = shop.owner;
  const { browserMarks: own } = await entered(shop);
  const { browserMarks: others } = await entered(other);
  await useUp(email);
  const [nonce = '', signature = ''] = own.split('.');
  const flipped = `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`;
  const [, ofOthers] = others.split('.');
  const worthless = [others, `${nonce}.${flipped}`, `${nonce}.${ofOthers}`, nonce, '.', 'x'];
  for (const browserMarks of worthless) {
    expect((await attempt(email, password, { browserMarks })).outcome).toBe('throttled');
  }
  await database.pool.query(
    'UPDATE users SET password_hash = (SELECT password_hash FROM users WHERE id = $2) WHERE id = $1',
    [userId, other.owner.userId],
  );
  const changed = await attempt(email, other.owner.password, { browserMarks: own });
  expect(changed.outcome).toBe('throttled');
});

it('an account’s tries are counted together, however its address is spelled', async () => {
  const { owner } = await merchant();
  const [name = '', host = ''] = owner.email.split('@');
  for (let i = 0; i < ACCOUNT_LIMIT.max; i++) {
    const spelled = `\0 ${name.toUpperCase()}${'\0'.repeat(i)}@${host} `;
    expect(await attempt(spelled, 'wrong')).toEqual({ outcome: 'refused' });
  }
  expect(await attempt(owner.email, owner.password)).toEqual({ outcome: 'throttled' });
  expect((await attempt(`\0${owner.email}`, owner.password, { now: LATER })).outcome).toBe(
    'signed_in',
  );
});

it('a success forgets the tries of the account', async () => {
  const { owner } = await merchant();
  for (let i = 0; i < ACCOUNT_LIMIT.max + 5; i++) {
    expect((await attempt(owner.email, owner.password)).outcome).toBe('signed_in');
  }
});

it('a bounded number of tries for a network address, over all accounts', async () => {
  const address = '192.0.2.1';
  // All tries but the last, without the cost of checking passwords.
  for (let i = 1; i < ADDRESS_LIMIT.max; i++) {
    await countTry(database.pool, `sign-in address ${address}`, ADDRESS_LIMIT, NOW);
  }
  const { owner } = await merchant();
  expect((await attempt('guess@example.com', 'x', { address })).outcome).toBe('refused');
  expect((await attempt(owner.email, owner.password, { address })).outcome).toBe('throttled');
  expect((await attempt(owner.email, owner.password)).outcome).toBe('signed_in');
});

it('who uses up a network address shuts no browser out that its person has signed in with before', async () => {
  const address = '192.0.2.2';
  const shop = await merchant();
  const { email, password } = shop.owner;
  const { browserMarks } = await entered(shop);
  for (let i = 0; i < ADDRESS_LIMIT.max; i++) {
    await countTry(database.pool, `sign-in address ${address}`, ADDRESS_LIMIT, NOW);
  }
  expect((await attempt(email, password, { address })).outcome).toBe('throttled');
  expect((await attempt(email, password, { address, browserMarks })).outcome).toBe('signed_in');
  // A mark is worthless for any other account.
  const other = { address, browserMarks };
  expect((await attempt('guess@example.com', 'x', other)).outcome).toBe('throttled');
  expect((await attempt((await merchant()).owner.email, 'x', other)).outcome).toBe('throttled');
});

it('right sign-ins of browsers that an account knows are bounded too', async () => {
  const { owner } = await merchant();
  const first = await attempt(owner.email, owner.password);
  if (first.outcome !== 'signed_in') throw new Error(first.outcome);
  const { browserMarks } = first;
  expect((await attempt(owner.email, owner.password, { browserMarks })).outcome).toBe('signed_in');
  const { rows } = await database.pool.query<{ id: string }>(
    'SELECT id FROM users WHERE email = $1',
    [owner.email],
  );
  for (let i = 1; i < ADDRESS_LIMIT.max; i++) {
    await countTry(database.pool, `sign-in known browsers ${rows[0]?.id}`, ADDRESS_LIMIT, NOW);
  }
  expect((await attempt(owner.email, owner.password, { browserMarks })).outcome).toBe('throttled');
  // A mark that the account does not know is counted by address.
  expect((await attempt(owner.email, owner.password)).outcome).toBe('signed_in');
});

it('an ended, an expired and a disabled account’s session are nobody’s', async () => {
  const { pool } = database;
  const first = await merchant();
  const ended = await sessionOf(first);
  await signOut(pool, { sessionId: ended, address: null, now: NOW });
  expect(await findSession(pool, ended, NOW)).toBeNull();
  const running = await sessionOf(first);
  expect(await findSession(pool, running, new Date('2026-11-28T12:00:00.000Z'))).toBeNull();
  await pool.query('UPDATE users SET disabled_at = now() WHERE id = $1', [first.owner.userId]);
  expect(await findSession(pool, running, NOW)).toBeNull();
});

it('ending all other sessions leaves this one', async () => {
  const { pool } = database;
  const first = await merchant();
  const [one, other] = [await sessionOf(first), await sessionOf(first)];
  const session = await findSession(pool, one, NOW);
  expect(session && (await endOtherSessions(pool, session))).toBe(1);
  expect(await findSession(pool, other, NOW)).toBeNull();
  expect(await findSession(pool, one, NOW)).not.toBeNull();
});

it('the logs of all one’s merchants tell of a sign-in', async () => {
  const { pool } = database;
  const first = await merchant();
  const second = await merchant(first.owner.email);
  await sessionOf(first);
  const { rows } = await pool.query<{ merchant_id: string }>(
    `SELECT merchant_id FROM audit_log WHERE action = 'session.sign_in' AND target_id = $1`,
    [first.owner.userId],
  );
  const merchantIds = rows.map((row) => row.merchant_id);
  expect(merchantIds.sort()).toEqual([first.merchantId, second.merchantId].sort());
});

it('a session begins at the merchant that was joined and not seen yet, or else was seen last', async () => {
  const { pool } = database;
  const first = await merchant();
  const at = (minute: number) => new Date(NOW.getTime() + minute * 60_000);
  const begin = async (now: Date) => {
    const result = await attempt(first.owner.email, first.owner.password, { now });
    if (result.outcome !== 'signed_in') throw new Error(result.outcome);
    const session = await findSession(pool, result.sessionId, now);
    if (!session) throw new Error('no session');
    return session;
  };
  expect((await begin(at(1))).merchant?.id).toBe(first.merchantId);
  const second = await merchant(first.owner.email);
  const session = await begin(at(3));
  expect(session.merchant?.id).toBe(second.merchantId);
  expect((await begin(at(5))).merchant?.id).toBe(second.merchantId);
  await switchMerchant(pool, session, first.merchantId);
  await findSession(pool, session.id, at(7));
  expect((await begin(at(9))).merchant?.id).toBe(first.merchantId);
});

it('a switch to one’s other merchant, never to a stranger’s, and none after leaving its staff', async () => {
  const { pool } = database;
  const first = await merchant();
  const second = await merchant(first.owner.email);
  const stranger = await merchant();
  const id = await sessionOf(first);
  const session = await findSession(pool, id, NOW);
  if (!session) throw new Error('no session');
  expect(await switchMerchant(pool, session, stranger.merchantId)).toBe(false);
  expect(await switchMerchant(pool, session, second.merchantId)).toBe(true);
  const shown = async () => (await findSession(pool, id, NOW))?.merchant?.id;
  expect(await shown()).toBe(second.merchantId);
  await pool.query('DELETE FROM memberships WHERE merchant_id = $1', [second.merchantId]);
  expect(await shown()).toBe(first.merchantId);
  await pool.query('DELETE FROM memberships WHERE merchant_id = $1', [first.merchantId]);
  expect(await shown()).toBeUndefined();
});
