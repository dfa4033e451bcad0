import { afterAll, beforeAll, expect, it } from 'vitest';
import { signIn } from '../auth/sign-in.ts';
import { createMerchant } from '../merchants/mutations.ts';
import { findOrCreateUser } from '../staff/members.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { COMMAND_ACTOR, COMMAND_NOW, runCommand } from '../testing/gateway-command.ts';
import { emailsIn } from '../testing/mail.ts';
import { withOwnDataDir } from '../testing/settings.ts';
import { personCommands } from './person-commands.ts';

const from = { actor: COMMAND_ACTOR, now: COMMAND_NOW };
const dataDir = withOwnDataDir();

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

it('the person whose second factor is taken off hears of it by e-mail', async () => {
  const { pool } = database;
  const { owner } = await createMerchant(pool, {
    ...{ name: 'Kiosk', ownerEmail: 'owner@example.com', ...from },
  });
  await pool.query(
    `UPDATE users SET totp_secret = '\\x01', totp_enabled_at = now() WHERE id = $1`,
    [owner.userId],
  );
  const args = ['second-factor-off', '--email', 'Owner@example.com'];
  const printed = await runCommand(personCommands, args, {
    pool,
    publicUrl: 'https://pay.example.com',
  });
  expect(printed).toBe('Owner@example.com signs in with the password alone from now on.');
  const [message = '', ...more] = await emailsIn(dataDir());
  expect(more).toEqual([]);
  expect(message).toContain('To: owner@example.com');
  expect(message).toContain('has removed the second factor from your account');
  expect(message).toContain('21 November 2026 at 12:00 UTC.');
  expect(message).toContain('https://pay.example.com/dashboard/forgot-password');
});

const about = (command: string, email: string) =>
  runCommand(personCommands, [command, '--email', email], database);

it('an account is disabled and enabled, and what was so already is told', async () => {
  const [email, password] = ['leaver@example.com', 'correct horse battery'];
  await findOrCreateUser(database.pool, { email, password, now: COMMAND_NOW });
  const enter = async () => {
    const client = { address: null, addressKey: '2001:db8::1', userAgent: null };
    const form = { email, password, ...client, now: COMMAND_NOW };
    return (await signIn(database.pool, form)).outcome;
  };
  expect(await about('disable', email)).toBe(
    `${email} is disabled: signed out everywhere, and let in no more.`,
  );
  expect(await about('disable', email)).toBe(`${email} is disabled already.`);
  expect(await enter()).toBe('refused');
  expect(await about('enable', email)).toBe(`${email} can sign in again.`);
  expect(await about('enable', email)).toBe(`${email} is not disabled.`);
  expect(await enter()).toBe('signed_in');
});

it.each(['disable', 'enable'])('an unknown address is told: %s', async (command) => {
  const email = 'unknown@example.com';
  await expect(about(command, email)).rejects.toThrow(`There is no account of ${email}.`);
});
