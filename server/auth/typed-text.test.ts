import { hash } from '@node-rs/argon2';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { grantTenant } from '../merchants/tenant.ts';
import { addOperator, removeOperator } from '../operating/operators.ts';
import { createInvitation } from '../staff/invitations.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { openMerchant } from '../testing/merchants.ts';
import { codeAt } from '../testing/second-factor.ts';
import { keyOfBrowser } from './known-browser.ts';
import { requestReset } from './password-reset.ts';
import {
  beginSecondFactor,
  changeOwnPassword,
  confirmSecondFactor,
} from './second-factor/second-factor.ts';
import { findPendingSession, passSecondStep } from './second-factor/second-step.ts';
import { findSession } from './sessions.ts';
import { signIn } from './sign-in.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const LATER = new Date(NOW.getTime() + 60_000);
const OPERATOR = { type: 'operator', id: null, label: 'test' } as const;
const PASSWORD = 'чай № 5 и café';
// A Mac types combining marks like this, and an input method the digits and blanks.
const OTHER_FORM = PASSWORD.normalize('NFKD').replaceAll('5', '５').replaceAll(' ', '\u3000');

let database: TestDatabase;
let serial = 0;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

async function merchant() {
  const ownerEmail = `kim.owner-${++serial}@shop.example`;
  return await openMerchant(database.pool, {
    ...{ name: 'Shop', ownerEmail, ownerPassword: PASSWORD, actor: OPERATOR, now: NOW },
  });
}

function enter(email: string, password: string, now = NOW) {
  const from = { address: null, addressKey: `2001:db8::${++serial}`, userAgent: null };
  return signIn(database.pool, { email, password, ...from, now });
}

async function sessionId(email: string, password: string, now = NOW): Promise<string> {
  const result = await enter(email, password, now);
  if (result.outcome !== 'signed_in') throw new Error(result.outcome);
  return result.sessionId;
}

async function ownOf(email: string) {
  const session = await findSession(database.pool, await sessionId(email, PASSWORD), NOW);
  if (!session) throw new Error('no session');
  const actor = { type: 'staff' as const, id: session.user.id, label: email };
  return { session, actor, now: NOW };
}

async function passes(email: string, code: string): Promise<string> {
  const pending = await findPendingSession(
    database.pool,
    await sessionId(email, PASSWORD, LATER),
    LATER,
  );
  if (!pending) throw new Error('nothing waits');
  return await passSecondStep(database.pool, pending, { code, address: null, now: LATER });
}

/** Types a code with another script's digits. */
function inDigitsFrom(zero: string, code: string): string {
  const first = zero.codePointAt(0) ?? 0;
  return code.replace(/\d/g, (digit) => String.fromCodePoint(first + Number(digit)));
}

it.each([
  ['Arabic-Indic', '٠'],
  ['Persian', '۰'],
  ['Bengali', '০'],
  ['full-width', '０'],
])('a code in %s digits is the same code, the first one too', async (_, zero) => {
  const { owner } = await merchant();
  const own = await ownOf(owner.email);
  const { secret } = await beginSecondFactor(database.pool, own, PASSWORD);
  const first = `\u200f${inDigitsFrom(zero, codeAt(secret, NOW))}\u3000`;
  await confirmSecondFactor(database.pool, own, first);
  const [one, other] = [codeAt(secret, LATER).slice(0, 3), codeAt(secret, LATER).slice(3)];
  expect(await passes(owner.email, `${inDigitsFrom(zero, `${one}–${other}`)}`)).toBe('passed');
});

it('a recovery code is the same in full-width letters and with other dashes', async () => {
  const { owner } = await merchant();
  const own = await ownOf(owner.email);
  const { secret } = await beginSecondFactor(database.pool, own, PASSWORD);
  const { recoveryCodes } = await confirmSecondFactor(database.pool, own, codeAt(secret, NOW));
  const wide = (recoveryCodes[0] ?? '').replace(/[0-9a-z]/g, (each) =>
    String.fromCodePoint((each.codePointAt(0) ?? 0) + 0xfee0),
  );
  expect(await passes(owner.email, wide.toUpperCase().replaceAll('-', '—'))).toBe('passed');
});

it('an address is the same however it is typed, wherever it is asked for', async () => {
  const { pool } = database;
  const { owner, merchantId } = await merchant();
  const typed = `\u200bＫim．${owner.email.slice('kim.'.length).replace('@', '＠')}\u00a0`;
  expect((await enter(typed, PASSWORD)).outcome).toBe('signed_in');
  const asked = await requestReset(pool, { email: typed, addressKey: 'here', now: NOW });
  expect(asked).toMatchObject({ outcome: 'accepted', link: { email: owner.email } });
  const actor = { type: 'staff' as const, id: owner.userId, label: owner.email };
  const wish = { email: typed, role: 'viewer' as const, locale: 'en', actor, now: NOW };
  const invited = createInvitation(pool, grantTenant(merchantId, 'sandbox'), wish);
  await expect(invited).rejects.toThrow('is already on the team');
  const from = { actor: OPERATOR, now: NOW };
  expect(await addOperator(pool, { ...from, email: typed })).toMatchObject({ email: owner.email });
  expect(await removeOperator(pool, { ...from, email: typed })).toBe('removed');
});

it('a password is the same in every form that Unicode calls compatible', async () => {
  const { owner } = await merchant();
  expect((await enter(owner.email, OTHER_FORM)).outcome).toBe('signed_in');
  expect((await enter(owner.email, PASSWORD.replaceAll(' ', ''))).outcome).toBe('refused');
});

/** An account whose password was hashed without folding. */
async function withOldHash() {
  const { owner } = await merchant();
  await database.pool.query('UPDATE users SET password_hash = $2 WHERE id = $1', [
    owner.userId,
    await hash(OTHER_FORM),
  ]);
  return owner;
}

it('one that was hashed as it was typed opens so once, and in every form from then on', async () => {
  const owner = await withOldHash();
  expect((await enter(owner.email, PASSWORD)).outcome).toBe('refused');
  const first = await enter(owner.email, OTHER_FORM);
  if (first.outcome !== 'signed_in') throw new Error(first.outcome);
  expect((await enter(owner.email, PASSWORD)).outcome).toBe('signed_in');
  expect((await enter(owner.email, OTHER_FORM)).outcome).toBe('signed_in');
  // The browser's mark uses the current hash.
  const { rows } = await database.pool.query<{ id: string; password_hash: string }>(
    'SELECT id, password_hash FROM users WHERE id = $1',
    [owner.userId],
  );
  const [account] = rows;
  expect(account && keyOfBrowser(account, first.browserMarks)).toContain(owner.userId);
});

it('one that was hashed as it was typed proves its person so', async () => {
  const { pool } = database;
  const owner = await withOldHash();
  const session = await findSession(pool, await sessionId(owner.email, OTHER_FORM), NOW);
  if (!session) throw new Error('no session');
  await pool.query('UPDATE users SET password_hash = $2 WHERE id = $1', [
    owner.userId,
    await hash(OTHER_FORM),
  ]);
  const own = {
    session,
    actor: { type: 'staff' as const, id: owner.userId, label: owner.email },
    now: NOW,
  };
  const password = 'purple elephant dances';
  await changeOwnPassword(pool, own, { proof: OTHER_FORM, password });
  expect((await enter(owner.email, password)).outcome).toBe('signed_in');
});
