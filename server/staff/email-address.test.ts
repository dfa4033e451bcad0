import { afterAll, beforeAll, expect, it } from 'vitest';
import { requestReset } from '../auth/password-reset.ts';
import { isWelcome, signInByProvider } from '../auth/provider-sign-in.ts';
import { verifiedPerson } from '../auth/providers.ts';
import { findSession } from '../auth/sessions.ts';
import { signIn } from '../auth/sign-in.ts';
import { grantTenant } from '../merchants/tenant.ts';
import { addOperator, removeOperator } from '../operating/operators.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { openMerchant } from '../testing/merchants.ts';
import { accountEmail, normaliseEmail } from './email-address.ts';
import { createInvitation } from './invitations.ts';
import { clearSecondFactor } from './lost-factor.ts';
import { setPersonStatus } from './person-status.ts';

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
])('what an e-mail would take elsewhere is no address: %j', (email) => {
  expect(() => normaliseEmail(email)).toThrow('is not an email address');
});

it.each(['kim@пример@рф', 'kim@⑴.рф', 'kim@пример.рф/x', `kim@${'é'.repeat(190)}`])(
  'nor is what becomes one only by being converted: %j',
  (email) => {
    expect(() => normaliseEmail(email)).toThrow('is not an email address');
  },
);

it('a part before the @ that mail servers refuse is told apart', () => {
  expect(() => normaliseEmail('ким@пример.рф')).toThrow(
    '"ким@пример.рф" has characters before the @ that most mail servers reject.',
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

it('what is longer than any address costs next to nothing to read', async () => {
  const letters = Array.from({ length: 5_200 }, (_, at) => String.fromCodePoint(0x4e00 + at));
  const email = `kim@${letters.join('')}`;
  const before = process.cpuUsage();
  for (let round = 0; round < 20; round += 1) {
    expect(accountEmail(email)).toBe(email);
    expect(() => normaliseEmail(email)).toThrow('is not an email address');
  }
  // Processor time in microseconds, which a stalling machine does not affect. A single conversion
  // takes tens of thousands.
  expect(process.cpuUsage(before).user).toBeLessThan(200_000);
  const from = { addressKey: '2001:db8::', now: NOW };
  const asked = await requestReset(database.pool, { email, ...from });
  expect(asked).toEqual({ outcome: 'accepted', link: null });
});

it('either spelling of a national domain opens the one account', async () => {
  const { pool } = database;
  const { owner, merchantId } = await openMerchant(pool, {
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
    const password = owner.password;
    const entered = await signIn(pool, { email, password, addressKey, ...at });
    if (entered.outcome !== 'signed_in') throw new Error(entered.outcome);
    expect(await ownerOf(entered.sessionId)).toBe(owner.userId);
    const claims = { sub: '1', email, email_verified: true };
    const verified = verifiedPerson(claims).email ?? '';
    const by = { email: verified, provider: 'oidc', ...at };
    expect(await ownerOf(await signInByProvider(pool, by))).toBe(owner.userId);
    const asked = await requestReset(pool, { email, addressKey, now: NOW });
    expect(asked).toMatchObject({ outcome: 'accepted', link: { email: owner.email } });
    const wish = { email, role: 'viewer' as const, locale: 'en', now: NOW };
    const actor = { type: 'staff' as const, id: owner.userId, label: 'owner' };
    const invited = createInvitation(pool, grantTenant(merchantId, 'sandbox'), { ...wish, actor });
    await expect(invited).rejects.toThrow('is already on the team');
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

it('who is invited by either joins by either', async () => {
  const { pool } = database;
  const { owner, merchantId } = await openMerchant(pool, {
    ...{ name: 'Shop', ownerEmail: 'owner@shop.example', actor: OPERATOR, now: NOW },
  });
  const invite = (email: string) => {
    const wish = { email, role: 'viewer' as const, locale: 'en', now: NOW };
    const actor = { type: 'staff' as const, id: owner.userId, label: 'owner' };
    return createInvitation(pool, grantTenant(merchantId, 'sandbox'), { ...wish, actor });
  };
  const { email: invited } = await invite(`asked@${ASCII}`);
  expect(invited).toBe(`asked@${NATIONAL}`);
  await expect(invite(invited)).rejects.toThrow('is already invited');
  const claims = { sub: '1', email: `asked@${ASCII}`, email_verified: true };
  const email = verifiedPerson(claims).email ?? '';
  expect(await isWelcome(pool, email, NOW)).toBe(true);
  const by = { email, provider: 'oidc', address: null, userAgent: null, now: NOW };
  const session = await findSession(pool, await signInByProvider(pool, by), NOW);
  expect(session).toMatchObject({ merchant: { id: merchantId }, user: { email: invited } });
});
