import { afterAll, beforeAll, expect, it } from 'vitest';
import { emailsSettled } from '../mail/send.ts';
import { createMerchant } from '../merchants/mutations.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { BROKEN_MAIL } from '../testing/mail.ts';
import { RESET_ACCOUNT_LIMIT } from './password-reset.ts';
import { askForReset } from './signed-out.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');

let database: TestDatabase;
let serial = 0;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

it('nobody learns by asking once more whether an owner’s e-mail could not leave', async () => {
  const { pool } = database;
  const { owner } = await createMerchant(pool, {
    name: 'Shop',
    ownerEmail: 'owner@example.com',
    actor: { type: 'operator', id: null, label: 'test' },
    now: NOW,
  });
  const ask = (email: string) => {
    const wish = { email, addressKey: `2001:db8::${++serial}`, locale: 'en' as const, now: NOW };
    return askForReset(pool, wish, { route: BROKEN_MAIL, retryAfterMs: [] });
  };
  for (let i = 0; i < RESET_ACCOUNT_LIMIT.max; i++) {
    expect(await ask('nobody@example.com')).toBe('accepted');
  }
  const without = await ask('nobody@example.com');
  expect(await ask(owner.email)).toBe('accepted');
  await emailsSettled();
  expect(await ask('nobody@example.com')).toBe(without);
  expect(without).toBe('throttled');
});
