import { afterAll, beforeAll, expect, it } from 'vitest';
import { createMerchant } from '../merchants/mutations.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { emailsIn } from '../testing/mail.ts';
import { withOwnDataDir } from '../testing/settings.ts';
import { personCommands } from './person-commands.ts';

const ACTOR = { type: 'operator', id: null, label: 'gateway command' } as const;
const from = { actor: ACTOR, now: new Date('2026-11-21T12:00:00.000Z') };
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
  const printed: string[] = [];
  const commands = personCommands({
    print: (text) => printed.push(text),
    withDatabase: (work) => work({ pool, ...from, publicUrl: 'https://pay.example.com' }),
  });
  const args = ['second-factor-off', '--email', 'Owner@example.com'];
  await commands.parseAsync(args, { from: 'user' });
  expect(printed).toEqual(['Owner@example.com signs in with the password alone from now on.']);
  const [message = '', ...more] = await emailsIn(dataDir());
  expect(more).toEqual([]);
  expect(message).toContain('To: owner@example.com');
  expect(message).toContain('has taken the second factor off your account');
  expect(message).toContain('21 November 2026 at 12:00 UTC.');
  expect(message).toContain('https://pay.example.com/dashboard/forgot-password');
});
