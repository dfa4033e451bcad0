import { TOTP } from 'otpauth';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { requestReset } from '../auth/password-reset.ts';
import { findSession } from '../auth/sessions.ts';
import { signIn } from '../auth/sign-in.ts';
import { setPassword } from '../auth/signed-out.ts';
import { emailsSettled } from '../mail/send.ts';
import { addOperator } from '../operating/operators.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { emailsIn } from '../testing/mail.ts';
import { type OpenedMerchant, openMerchant } from '../testing/merchants.ts';
import { withOwnDataDir } from '../testing/settings.ts';
import { contextOf } from './context.ts';
import { createCaller } from './root.ts';

const CHOSEN = 'correct horse battery';
const ADDRESS = '192.0.2.7';
const COMMAND = { type: 'operator', id: null, label: 'test' } as const;

const process = vi.hoisted(() => ({ pool: null as unknown }));
vi.mock('../db/pool.ts', async (original) => ({
  ...(await original<typeof import('../db/pool.ts')>()),
  getPool: () => process.pool,
}));

let database: TestDatabase;
const dataDir = withOwnDataDir();
let serial = 0;
beforeAll(async () => {
  database = await createTestDatabase();
  process.pool = database.pool;
});
afterAll(() => database.drop());

async function merchant(): Promise<OpenedMerchant> {
  const ownerEmail = `owner-${++serial}@example.com`;
  const [actor, now] = [COMMAND, new Date()];
  return await openMerchant(database.pool, { name: 'Shop', ownerEmail, actor, now });
}

/** The calls of an owner who has just signed in. */
async function callsOf({ owner }: OpenedMerchant) {
  const { pool: db } = database;
  const now = new Date();
  const entered = await signIn(db, {
    ...{ email: owner.email, password: owner.password, now },
    ...{ address: null, addressKey: `2001:db8::${serial}`, userAgent: null },
  });
  if (entered.outcome !== 'signed_in') throw new Error(entered.outcome);
  const from = { db, environment: 'sandbox', address: ADDRESS, now } as const;
  return createCaller(contextOf(await findSession(db, entered.sessionId, now), from)).security;
}

/** How the e-mails to an owner begin, the oldest first. */
async function toldTo({ owner }: { owner: { email: string } }): Promise<string[]> {
  await emailsSettled();
  const theirs = (await emailsIn(dataDir())).filter((each) => each.includes(`To: ${owner.email}`));
  for (const message of theirs) {
    expect(message).toContain(`from the IP address ${ADDRESS}.`);
    expect(message).toContain('lang=3D"ru"');
    const links = new Set([...message.matchAll(/http:\S+?(?=[\s"<])/g)].map(([link]) => link));
    expect([...links]).toEqual(['http://localhost:3000/dashboard/forgot-password']);
  }
  return theirs.map((message) => /quoted-printable\r\n\r\n(.*?)\r\n/.exec(message)?.[1] ?? '');
}

it('a person hears by e-mail that their own password was changed', async () => {
  const shop = await merchant();
  const calls = await callsOf(shop);
  const proof = shop.owner.password;
  await expect(calls.changePassword({ proof: 'wrong', password: CHOSEN })).rejects.toThrow();
  expect(await toldTo(shop)).toEqual([]);
  await calls.changePassword({ proof, password: CHOSEN });
  const sentence = 'The password of your payment gateway account was changed.';
  expect(await toldTo(shop)).toEqual([sentence]);
});

it('and that one was set by the link of an e-mail', async () => {
  const shop = await merchant();
  const { email } = shop.owner;
  const asked = await requestReset(database.pool, { email, addressKey: 'test', now: new Date() });
  if (asked.outcome !== 'accepted' || !asked.link) throw new Error('no e-mail');
  const given = { token: asked.link.token, password: CHOSEN };
  const visit = { cookies: {}, address: ADDRESS, requestId: 'req_1' };
  expect(await setPassword(given, visit, () => undefined)).toBe('changed');
  const sentence = 'The password of your payment gateway account was changed.';
  expect(await toldTo(shop)).toEqual([sentence]);
});

it('and that they have a first one', async () => {
  const email = `new-${++serial}@example.com`;
  const { link } = await addOperator(database.pool, { email, actor: COMMAND, now: new Date() });
  const given = { token: link?.token ?? '', password: CHOSEN };
  const visit = { cookies: {}, address: ADDRESS, requestId: 'req_1' };
  expect(await setPassword(given, visit, () => undefined)).toBe('set');
  const sentence = 'A password was set for your payment gateway account.';
  expect(await toldTo({ owner: { email } })).toEqual([sentence]);
});

it('and each time that their second factor or its codes change', async () => {
  const shop = await merchant();
  const calls = await callsOf(shop);
  const proof = shop.owner.password;
  await calls.beginSecondFactor({ proof });
  expect(await toldTo(shop)).toEqual([]);
  const { secret } = await calls.beginSecondFactor({ proof });
  await calls.confirmSecondFactor({ code: new TOTP({ secret }).generate() });
  const on = 'A second factor was set up for your payment gateway account.';
  expect(await toldTo(shop)).toEqual([on]);
  await calls.renewRecoveryCodes({ proof });
  const codes = /^New recovery codes were created for your payment gateway account\./;
  expect(await toldTo(shop)).toEqual([on, expect.stringMatching(codes)]);
  await calls.turnOffSecondFactor({ proof });
  const off = /^The second factor of your payment gateway account was turned off\./;
  expect((await toldTo(shop)).at(-1)).toMatch(off);
  expect(await toldTo(shop)).toHaveLength(3);
});
