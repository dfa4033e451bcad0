import { afterAll, beforeAll, expect, it } from 'vitest';
import { readSettings } from '../merchants/settings.ts';
import { grantTenant } from '../merchants/tenant.ts';
import { setPersonStatus } from '../staff/person-status.ts';
import { changeRole } from '../staff/team.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { COMMAND_ACTOR, COMMAND_NOW, runCommand } from '../testing/gateway-command.ts';
import { type OpenedMerchant, openMerchant } from '../testing/merchants.ts';
import { merchantCommands } from './merchant-commands.ts';

let database: TestDatabase;
let serial = 0;
const NEW = ['create', '--name', 'Kiosk', '--owner-email'];
const NOW = COMMAND_NOW;
const ACTOR = COMMAND_ACTOR;
const from = { actor: ACTOR, now: NOW };

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const shop = (): Promise<OpenedMerchant> =>
  openMerchant(database.pool, {
    ...from,
    name: 'Kiosk',
    ownerEmail: `owner-${++serial}@example.com`,
  });

/** Runs `merchant …` and returns its output. */
const run = (...args: string[]) => runCommand(merchantCommands, args, database);

const addOwner = (merchantId: string, email: string, ...options: string[]): Promise<string> =>
  run('add-owner', merchantId, '--email', email, ...options);

async function idOf(email: string): Promise<string> {
  const { rows } = await database.pool.query<{ id: string }>(
    'SELECT id FROM users WHERE email = $1',
    [email],
  );
  return rows[0]?.id ?? '';
}

it('is made, listed, suspended and resumed, each told in a line', async () => {
  const made = await run('create', '--name', 'Kiosk', '--owner-email', 'text@example.com');
  const id = /mer_\w+/.exec(made)?.[0] ?? '';
  expect(made).toMatch(
    /new-password\/\w{43}\n.*gw_sandbox_.*Signing secret {2}whsec_.*gw_production_/s,
  );
  expect(await run('suspend', id)).toBe(`Merchant ${id} is suspended.`);
  expect(await run('suspend', id)).toContain('is already suspended');
  expect(JSON.parse(await run('list', '--json'))).toContainEqual(
    expect.objectContaining({
      merchant_id: id,
      status: 'suspended',
      owners: ['text@example.com'],
    }),
  );
  expect(await run('resume', id)).toBe(`Merchant ${id} is active.`);
  expect(await run('list')).toMatch(new RegExp(`${id}  Kiosk  active`));
});

it.each([
  ['no e-mail', ['create', '--name', 'x'], '--owner-email'],
  ['a bad e-mail', [...NEW, 'nobody'], 'is not an email address'],
  ['no time zone', [...NEW, 'a@b.example', '--time-zone', '+05:00'], 'Time zone not found'],
  ['an unknown merchant', ['suspend', 'mer_x'], 'There is no merchant mer_x'],
])('a mistake is told in words: %s', async (_, args, words) => {
  await expect(run(...args)).rejects.toThrow(words);
});

it('a merchant is made in the time zone that is named', async () => {
  const wish = ['--name', 'Kiosk', '--owner-email', 'zone@example.com', '--json'];
  const made = JSON.parse(await run('create', ...wish, '--time-zone', 'Europe/Istanbul'));
  const tenant = grantTenant(made.merchant_id, 'sandbox');
  const { timeZone } = await readSettings(database.pool, tenant);
  expect(timeZone).toBe('Europe/Istanbul');
});

it('a merchant whose only owner is disabled gets another, who can change roles', async () => {
  const { merchantId, owner } = await shop();
  await setPersonStatus(database.pool, { ...from, email: owner.email, status: 'disabled' });
  const email = 'next@example.com';
  expect(await addOwner(merchantId, email)).toMatch(
    new RegExp(
      `^${email} is an owner of ${merchantId}\\.\nLink to set a password, shown this once only:\n` +
        '  http://localhost:3000/dashboard/new-password/\\w{43}\n' +
        'It works once, until 2026-11-28 12:00:00Z\\. Whoever has it can open the account: .*\n' +
        `Another one: npm run gateway -- merchant add-owner ${merchantId} --email ${email}$`,
    ),
  );
  expect(await addOwner(merchantId, email)).toMatch(
    new RegExp(`^${email} is already an owner of ${merchantId}\\.\nLink to set a password`),
  );
  const change = {
    userId: owner.userId,
    role: 'viewer' as const,
    actor: { type: 'staff' as const, id: await idOf(email), label: email },
    now: NOW,
  };
  await changeRole(database.pool, grantTenant(merchantId, 'sandbox'), change);
  const { rows } = await database.pool.query(
    `SELECT actor_label, target_id, details FROM audit_log
     WHERE merchant_id = $1 AND action = 'member.add_owner'`,
    [merchantId],
  );
  expect(rows).toEqual([
    { actor_label: ACTOR.label, target_id: change.actor.id, details: { email } },
  ]);
});

it('who has an account keeps the password, and another role there ends', async () => {
  const { merchantId } = await shop();
  const { owner } = await shop();
  await database.pool.query(
    `INSERT INTO memberships (user_id, merchant_id, role, created_at)
     VALUES ($1, $2, 'viewer', now())`,
    [owner.userId, merchantId],
  );
  const printed = await addOwner(merchantId, owner.email, '--json');
  const added = { email: owner.email, password_link: null };
  expect(JSON.parse(printed)).toEqual({ outcome: 'added', ...added });
  expect(await addOwner(merchantId, owner.email)).toBe(
    `${owner.email} is already an owner of ${merchantId}.`,
  );
  const { rows } = await database.pool.query(
    'SELECT role FROM memberships WHERE user_id = $1 AND merchant_id = $2',
    [owner.userId, merchantId],
  );
  expect(rows).toEqual([{ role: 'owner' }]);
});

it('a disabled account, an unknown merchant and what is no address are told by name', async () => {
  const { merchantId, owner } = await shop();
  await setPersonStatus(database.pool, { ...from, email: owner.email, status: 'disabled' });
  await expect(addOwner(merchantId, owner.email)).rejects.toThrow(
    `The account ${owner.email} is disabled.`,
  );
  await expect(addOwner('mer_x', 'a@example.com')).rejects.toThrow('There is no merchant mer_x.');
  await expect(addOwner(merchantId, 'nobody')).rejects.toThrow('"nobody" is not an email address');
  expect(await idOf('a@example.com')).toBe('');
});
