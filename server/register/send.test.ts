import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { MailRoute } from '../mail/send.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { writePayments } from '../testing/register.ts';
import { createStaffedShop, type StaffedShop } from '../testing/staff.ts';
import { sendRegisters } from './send.ts';

const HOUR_MS = 3_600_000;
/** Noon in Tashkent, where the shop is. */
const NOW = new Date('2026-11-28T07:00:00.000Z');
/** The 28th ends at 19:00 UTC. */
const DAY_ENDS_MS = Date.parse('2026-11-28T19:00:00.000Z');
let database: TestDatabase;
let shop: StaffedShop;
let outboxFolder: string;
let serial = 0;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  shop = await createStaffedShop(database.pool, NOW, `owner-${++serial}@example.com`);
  await database.pool.query('DELETE FROM register_emails');
  outboxFolder = await mkdtemp(join(tmpdir(), 'register-'));
  return () => rm(outboxFolder, { recursive: true });
});

const route = (smtpUrl: string | null = null): MailRoute => ({
  smtpUrl,
  from: 'Payments <no-reply@pay.example>',
  outboxFolder,
  say: () => undefined,
});

const sendAt = (atMs: number, by = route()): Promise<number> =>
  sendRegisters(database.pool, { route: by, clock: () => new Date(atMs), limit: 10 });

/** The e-mails so far, the oldest first. */
async function sent(): Promise<string[]> {
  const names = (await readdir(outboxFolder)).sort();
  return await Promise.all(names.map((name) => readFile(join(outboxFolder, name), 'utf8')));
}

async function switchOn(): Promise<void> {
  await shop.calls().register.email({ isOn: true });
  // Yesterday's is of no interest here.
  await sendAt(NOW.getTime());
  for (const name of await readdir(outboxFolder)) await rm(join(outboxFolder, name));
}

const payment = (atMs: number) => ({
  atMs,
  currency: 'USD' as const,
  amountMinor: 1_500,
  feeMinor: 45,
  refunds: [{ amountMinor: 500, succeededAtMs: atMs + 1, returnedAtMs: null }],
});

it('a day’s register comes once, in the morning after, with its totals and both files', async () => {
  await switchOn();
  await writePayments(database.pool, shop.sandboxTenant, [
    payment(DAY_ENDS_MS - 2),
    payment(DAY_ENDS_MS),
  ]);
  await sendAt(DAY_ENDS_MS + 6 * HOUR_MS - 1);
  expect(await sent()).toEqual([]);
  await Promise.all([0, 1].map(() => sendAt(DAY_ENDS_MS + 6 * HOUR_MS)));
  await sendAt(DAY_ENDS_MS + 12 * HOUR_MS);
  const [email = '', ...more] = await sent();
  expect(more).toEqual([]);
  expect(email).toContain(`To: ${shop.owner.email}`);
  const text = email.replaceAll(/=\r\n/g, '');
  expect(text).toContain('Received: $15.00 (1 payment)');
  expect(text).toContain('Net, USD: $9.55');
  expect(text).toContain('filename=register-sandbox-2026-11-28.csv');
  expect(text).toContain('filename=register-sandbox-2026-11-28.xlsx');
  // The next one is the next day's.
  await sendAt(DAY_ENDS_MS + 30 * HOUR_MS);
  const [, next = ''] = await sent();
  expect(next.replaceAll(/=\r\n/g, '')).toContain('register-sandbox-2026-11-29.csv');
});

it('one that the mail server did not take, or whose worker died, comes later, with the same id', async () => {
  await switchOn();
  const morningMs = DAY_ENDS_MS + 6 * HOUR_MS;
  expect(await sendAt(morningMs, route('smtp://127.0.0.1:1'))).toBe(1);
  expect(await sendAt(morningMs + 60_000)).toBe(0);
  expect(await sendAt(morningMs + 11 * 60_000)).toBe(1);
  const [email = ''] = await sent();
  const id = `register-2026-11-28-${shop.owner.userId}-${shop.merchantId}-sandbox@pay.example`;
  expect(email.replaceAll(/\r\n\s+/g, ' ')).toContain(`Message-ID: <${id}>`);
});

it('it ends when it is switched off, with the account, and with the place on the staff', async () => {
  const { pool } = database;
  await switchOn();
  expect((await shop.calls().register.page({ day: '2026-11-28', isSummed: true })).isEmailed).toBe(
    true,
  );
  await pool.query('UPDATE users SET disabled_at = now() WHERE id = $1', [shop.owner.userId]);
  expect(await sendAt(DAY_ENDS_MS + 6 * HOUR_MS)).toBe(1);
  expect(await sent()).toEqual([]);
  await pool.query('UPDATE users SET disabled_at = NULL WHERE id = $1', [shop.owner.userId]);
  await shop.calls().register.email({ isOn: false });
  expect((await shop.calls().register.page({ day: '2026-11-28' })).isEmailed).toBe(false);
  expect(await sendAt(DAY_ENDS_MS + 60 * HOUR_MS)).toBe(0);
  await shop.calls().register.email({ isOn: true });
  await pool.query('DELETE FROM memberships WHERE user_id = $1', [shop.owner.userId]);
  expect(await sendAt(DAY_ENDS_MS + 60 * HOUR_MS)).toBe(0);
});
