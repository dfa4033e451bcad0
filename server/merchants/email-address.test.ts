import { afterAll, beforeAll, expect, it } from 'vitest';
import { requestReset } from '../auth/password-reset.ts';
import { isWelcome, signInByProvider } from '../auth/provider-sign-in.ts';
import { verifiedPerson } from '../auth/providers.ts';
import { findSession } from '../auth/sessions.ts';
import { signIn } from '../auth/sign-in.ts';
import { hashLinkToken } from '../lib/link-token.ts';
import { addOperator, removeOperator } from '../operating/operators.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database.ts';
import { accountEmail, keptEmail, normaliseEmail } from './email-address.ts';
import { acceptInvitations, createInvitation, findInvitation } from './invitations.ts';
import { clearSecondFactor } from './lost-factor.ts';
import { findOrCreateUser } from './members.ts';
import { createMerchant } from './mutations.ts';
import { setPersonStatus } from './person-status.ts';
import { grantTenant } from './tenant.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const OPERATOR = { type: 'operator', id: null, label: 'test' } as const;
const NATIONAL = 'пример.рф';
const ASCII = 'xn--e1afmkfd.xn--p1ai';

let database: TestDatabase;
let serial = 0;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

it('an address is kept trimmed and in lower case', () => {
  expect(normaliseEmail(" Ada.O'Hara+shop@Shop.Example ")).toBe("ada.o'hara+shop@shop.example");
});

it.each([
  'ada',
  'ada@',
  'ada@shop@example',
  'ada lovelace@shop.example',
  'ada\n@shop.example',
  'ada\u0007@shop.example',
  'x,victim@shop.example',
  'bob@shop.example,',
  'x;victim@shop.example',
  'ada<ada@shop.example>',
  'ada(ada)@shop.example',
  'staff:ada@shop.example',
  '"ada"@shop.example',
  'ada\\@shop.example',
  'ada@[192.0.2.1]',
])('what a letter would take elsewhere is no address: %j', (email) => {
  expect(() => normaliseEmail(email)).toThrow('is not an e-mail address');
});

it.each(['kim@пример@рф', 'kim@⑴.рф', 'kim@пример.рф/x', `kim@${'é'.repeat(190)}`])(
  'nor is what becomes one only by being converted: %j',
  (email) => {
    expect(() => normaliseEmail(email)).toThrow('is not an e-mail address');
  },
);

it('a part before the @ that mail servers refuse is told apart', () => {
  expect(() => normaliseEmail('ким@пример.рф')).toThrow(
    '"ким@пример.рф" has characters before the @ that most mail servers refuse.',
  );
});

it.each([
  ['Kim@ПРИМЕР.РФ', 'kim@пример.рф'],
  ['kim@XN--E1AFMKFD.xn--p1ai', 'kim@пример.рф'],
  ['kim@mail.xn--e1afmkfd.xn--p1ai', 'kim@mail.пример.рф'],
  ['kim@shop.example', 'kim@shop.example'],
  ['kim@xn--.example', 'kim@xn--.example'],
  ['kim@10.1', 'kim@10.1'],
  ['ким@пример.рф', 'ким@пример.рф'],
  ['xn--kim@shop.example', 'xn--kim@shop.example'],
])('%s is kept as %s', (given, kept) => {
  expect(accountEmail(given)).toBe(kept);
});

/** An account as a gateway made it that knew one spelling only. */
async function oldAccount(email: string): Promise<string> {
  const id = `usr_old_${++serial}`;
  await database.pool.query('INSERT INTO users (id, email) VALUES ($1, $2)', [id, email]);
  return id;
}

const idOf = async (email: string) => {
  const found = await findOrCreateUser(database.pool, { email, now: NOW });
  if (found.password !== null) throw new Error(`${email} was made`);
  return found.id;
};

it('either spelling of a national domain opens the one account', async () => {
  const { pool } = database;
  const { owner, merchantId } = await createMerchant(pool, {
    name: 'Shop',
    ownerEmail: `owner@${NATIONAL}`,
    actor: OPERATOR,
    now: NOW,
  });
  expect(owner.email).toBe(`owner@${NATIONAL}`);
  const at = { address: null, userAgent: null, now: NOW };
  const ownerOf = async (sessionId: string) => (await findSession(pool, sessionId, NOW))?.user.id;
  for (const email of [`owner@${ASCII}`, `Owner@${ASCII.toUpperCase()}`, owner.email]) {
    const addressKey = `2001:db8::${++serial}`;
    const password = owner.password ?? '';
    const entered = await signIn(pool, { email, password, addressKey, ...at });
    if (entered.outcome !== 'signed_in') throw new Error(entered.outcome);
    expect(await ownerOf(entered.sessionId)).toBe(owner.userId);
    const claims = { sub: '1', email, email_verified: true };
    const verified = verifiedPerson(claims).email ?? '';
    const by = { email: verified, provider: 'oidc', ...at };
    expect(await ownerOf(await signInByProvider(pool, by))).toBe(owner.userId);
    const asked = await requestReset(pool, { email, addressKey, now: NOW });
    expect(asked).toMatchObject({ outcome: 'accepted', letter: { email: owner.email } });
    const wish = { email, role: 'viewer' as const, locale: 'en', now: NOW };
    const actor = { type: 'staff' as const, id: owner.userId, label: 'owner' };
    const invited = createInvitation(pool, grantTenant(merchantId, 'sandbox'), { ...wish, actor });
    await expect(invited).rejects.toThrow('is on the team already');
  }
});

it('the operator’s commands find it by either as well', async () => {
  const { pool } = database;
  const from = { actor: OPERATOR, now: NOW };
  const [national, ascii] = [`staff@${NATIONAL}`, `staff@${ASCII}`];
  await addOperator(pool, { ...from, email: national });
  expect((await addOperator(pool, { ...from, email: ascii })).outcome).toBe('unchanged');
  await pool.query(
    `UPDATE users SET totp_secret = '\\x01', totp_enabled_at = now() WHERE email = $1`,
    [national],
  );
  expect(await clearSecondFactor(pool, { ...from, email: ascii })).toBe('cleared');
  expect(await removeOperator(pool, { ...from, email: ascii })).toBe('removed');
  const disabled = { ...from, email: ascii, status: 'disabled' as const };
  expect(await setPersonStatus(pool, disabled)).toBe('changed');
});

it('an account that is kept in the other spelling is found by both', async () => {
  const id = await oldAccount(`old@${ASCII}`);
  expect(await idOf(`old@${ASCII}`)).toBe(id);
  expect(await idOf(`Old@${NATIONAL}`)).toBe(id);
});

/** A shop that has invited somebody, by a gateway that knew one spelling only. */
async function oldInvitation(email: string) {
  const { pool } = database;
  const { owner, merchantId } = await createMerchant(pool, {
    ...{ name: 'Shop', ownerEmail: `owner-${++serial}@shop.example`, actor: OPERATOR, now: NOW },
  });
  const actor = { type: 'staff' as const, id: owner.userId, label: 'owner' };
  const tenant = grantTenant(merchantId, 'sandbox');
  const invite = (to: string) => {
    const wish = { email: to, role: 'viewer' as const, locale: 'en', now: NOW };
    return createInvitation(pool, tenant, { ...wish, actor });
  };
  const made = await invite(`new-${serial}@shop.example`);
  await pool.query('UPDATE invitations SET email = $2 WHERE id = $1', [made.id, email]);
  return { invite, merchantId, token: made.token };
}

it('an invitation that is kept in the other spelling is found by both', async () => {
  const { pool } = database;
  const { invite, merchantId } = await oldInvitation(`asked@${ASCII}`);
  await expect(invite(`asked@${NATIONAL}`)).rejects.toThrow('is invited already');
  await expect(invite(`asked@${ASCII}`)).rejects.toThrow('is invited already');
  const email = verifiedPerson({ sub: '1', email: `asked@${ASCII}`, email_verified: true }).email;
  expect(await isWelcome(pool, email ?? '', NOW)).toBe(true);
  const by = { email: email ?? '', provider: 'oidc', address: null, userAgent: null, now: NOW };
  const session = await findSession(pool, await signInByProvider(pool, by), NOW);
  expect(session?.merchant?.id).toBe(merchantId);
  expect(session?.user.email).toBe(`asked@${NATIONAL}`);
});

it('who joins by the link of such an invitation joins with the account that there is', async () => {
  const { pool } = database;
  const { token } = await oldInvitation(`joins@${ASCII}`);
  const id = await oldAccount(`joins@${NATIONAL}`);
  const shown = { email: `joins@${NATIONAL}`, hasAccount: true };
  expect(await findInvitation(pool, token, NOW)).toMatchObject(shown);
  const by = { tokenHash: hashLinkToken(token) };
  const joining = { passwordHash: null, address: null, now: NOW };
  expect(await acceptInvitations(pool, by, joining)).toMatchObject({ userId: id, isNew: false });
});

it('where each spelling has an account, each finds its own', async () => {
  const [first, second] = [`two@${ASCII}`, `two@${NATIONAL}`];
  const ids = [await oldAccount(first), await oldAccount(second)];
  expect([await idOf(first), await idOf(second)]).toEqual(ids);
});

it('an old account with a name that no new one is given is found', async () => {
  const email = 'o’hara@shop.example';
  const id = await oldAccount(email);
  expect(await idOf(email)).toBe(id);
  expect(await keptEmail(database.pool, ' O’Hara@shop.example\0')).toBe(email);
});
