import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import type { TelegramSettings } from '../settings/telegram-settings.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { BROKEN_MAIL, emailsIn } from '../testing/mail.ts';
import { openMerchant } from '../testing/merchants.ts';
import { TelegramStandIn } from '../testing/telegram-stand-in.ts';
import { makeThrowAwayFolder } from '../testing/throw-away-folder.ts';
import { saveChoices } from './choices.ts';
import { claimNotices, writeNotices } from './outbox.ts';
import { sendNotices } from './send-notices.ts';
import { sendTestNotice } from './send-test.ts';
import { beginTelegramLink, readTelegramState } from './telegram/links.ts';
import { readTelegramUpdates } from './telegram/read-updates.ts';
import type { Channel, NoticeContent, Place } from './types.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const after = (minutes: number) => new Date(NOW.getTime() + minutes * 60_000);

let database: TestDatabase;
let telegram: TelegramStandIn;
let bot: TelegramSettings;
let dataDir: string;
let outboxFolder: string;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  telegram = new TelegramStandIn();
  bot = await telegram.listen();
  dataDir = makeThrowAwayFolder();
  outboxFolder = join(dataDir, 'outbox');
});
afterEach(async () => {
  await telegram.close();
  await database.pool.query('DELETE FROM notices');
  await database.pool.query('DELETE FROM telegram_links');
  await database.pool.query('UPDATE telegram_readings SET next_update_id = 0');
});

async function newOwner(): Promise<{ place: Place; userId: string }> {
  const made = await openMerchant(database.pool, {
    name: 'Kiosk',
    ownerEmail: `${randomUUID()}@example.com`,
    actor: { type: 'operator', id: null, label: 'test' },
    now: NOW,
  });
  return {
    place: { merchantId: made.merchantId, environment: 'production' },
    userId: made.owner.userId,
  };
}

const FAILED_REFUND: NoticeContent = {
  what: 'refund_failed',
  count: 1,
  invoices: [
    {
      id: 'inv_1',
      reference: 'order\n1',
      description: '<b>*Tea*</b> https://evil.example',
      amountMinor: '8490000',
      currency: 'UZS',
    },
  ],
};

async function tell({ place, userId }: { place: Place; userId: string }, channel: Channel) {
  const notice = { ...place, userId, channel, subject: 'a refund', content: FAILED_REFUND };
  await writeNotices(database.pool, [notice], NOW);
}

const send = (
  now: Date,
  route = { ...BROKEN_MAIL, smtpUrl: null as string | null, outboxFolder },
) =>
  sendNotices(database.pool, {
    route,
    bot,
    publicUrl: 'https://pay.example',
    clock: () => now,
    limit: 20,
  });

const states = async () =>
  (await database.pool.query('SELECT state, attempt_count FROM notices ORDER BY channel')).rows;

/** Follows a link as somebody's Telegram does. */
async function connect(userId: string, chatId: number): Promise<void> {
  const url = await beginTelegramLink(database.pool, bot, { userId, now: NOW });
  telegram.write(chatId, `/start ${new URL(url).searchParams.get('start')}`);
  await readTelegramUpdates(database.pool, { bot, now: after(1) });
}

async function chooseTelegram({ place, userId }: { place: Place; userId: string }): Promise<void> {
  await saveChoices(database.pool, place, {
    userId,
    choices: [{ kind: 'refund_failed', channels: ['telegram'], payments: null }],
    locale: 'ru',
    now: NOW,
  });
}

it('an e-mail whose worker died before its record is sent once more, with the same Message-ID', async () => {
  await tell(await newOwner(), 'email');
  await send(NOW);
  const read = () => emailsIn(dataDir);
  const [first = ''] = await read();
  expect(first).toContain('Subject: Kiosk: a refund failed');
  expect(first).toContain('https://pay.example/dashboard/production/account/notifications');
  // As the row stands where the worker has died in between.
  await database.pool.query(
    `UPDATE notices SET state = 'waiting', ended_at = NULL, next_attempt_at = $1`,
    [after(5).toISOString()],
  );
  expect(await send(after(4))).toBe(0);
  expect(await send(after(5))).toBe(1);
  const ids = (await read()).map((email) => /^Message-ID: (.+)\r$/im.exec(email)?.[1]);
  expect(ids).toHaveLength(2);
  expect(new Set(ids).size).toBe(1);
  expect(await states()).toEqual([{ state: 'sent', attempt_count: 2 }]);
});

it('a claimed notice is nobody else’s until its lease is over', async () => {
  await tell(await newOwner(), 'email');
  expect(await claimNotices(database.pool, { now: NOW, limit: 5 })).toHaveLength(1);
  expect(await send(after(4))).toBe(0);
});

it('a mail server that fails is tried again for a day, then the notice is given up', async () => {
  await tell(await newOwner(), 'email');
  await send(NOW, { ...BROKEN_MAIL, outboxFolder });
  expect(await states()).toEqual([{ state: 'waiting', attempt_count: 1 }]);
  expect(await send(after(0.5), { ...BROKEN_MAIL, outboxFolder })).toBe(0);
  await send(after(24 * 60), { ...BROKEN_MAIL, outboxFolder });
  expect(await states()).toEqual([{ state: 'failed', attempt_count: 2 }]);
});

it('who muted it since, or left the staff, gets nothing', async () => {
  const owner = await newOwner();
  await tell(owner, 'email');
  const gone = await newOwner();
  await tell(gone, 'email');
  await chooseTelegram(owner);
  await database.pool.query('DELETE FROM memberships WHERE user_id = $1', [gone.userId]);
  await send(NOW);
  expect(await emailsIn(dataDir)).toEqual([]);
  expect(await states()).toMatchObject([{ state: 'dropped' }, { state: 'dropped' }]);
});

it('a link’s code connects the chat that sends it, once, for 15 minutes, and no group', async () => {
  const { userId } = await newOwner();
  const db = database.pool;
  await readTelegramUpdates(db, { bot, now: NOW });
  expect(telegram.reads).toBe(0);
  const url = await beginTelegramLink(db, bot, { userId, now: NOW });
  expect(url).toMatch(/^https:\/\/t\.me\/example_bot\?start=[\w-]{32}$/);
  const code = new URL(url).searchParams.get('start');
  telegram.write(-5, `/start ${code}`, 'group');
  telegram.write(6, '/start wrong');
  await readTelegramUpdates(db, { bot, now: after(14) });
  expect((await readTelegramState(db, userId)).isConnected).toBe(false);
  telegram.write(7, `/start ${code}`);
  telegram.write(8, `/start ${code}`);
  expect(await readTelegramUpdates(db, { bot, now: after(14) })).toBe(2);
  expect(await readTelegramState(db, userId)).toEqual({
    chatName: '@aziza',
    isConnected: true,
    isBlocked: false,
  });
  expect(telegram.sent.map(({ chatId }) => chatId)).toEqual(['7']);

  const late = new URL(await beginTelegramLink(db, bot, { userId, now: NOW })).searchParams.get(
    'start',
  );
  const other = await newOwner();
  await beginTelegramLink(db, bot, { userId: other.userId, now: after(10) });
  telegram.write(9, `/start ${late}`);
  await readTelegramUpdates(db, { bot, now: after(15) });
  expect(telegram.sent).toHaveLength(1);
});

it('Telegram gets a plain text in the person’s language, and is left alone as long as it asks', async () => {
  const owner = await newOwner();
  await chooseTelegram(owner);
  await connect(owner.userId, 7);
  await tell(owner, 'telegram');
  telegram.retryAfter.push(30);
  await send(after(2));
  expect(await send(after(2.4))).toBe(0);
  await send(after(2.5));
  const [, notice] = telegram.sent;
  expect(notice).toEqual({
    chatId: '7',
    text: [
      'Kiosk: не прошёл 1 возврат',
      'Деньги не вернулись покупателю. Причина указана в кабинете, там же можно повторить возврат.',
      '84\u00a0900\u00a0сум · <b>*Tea*</b> https://evil.example · order 1',
      'https://pay.example/dashboard/production/invoices/inv_1',
    ].join('\n\n'),
  });
  expect(await states()).toEqual([{ state: 'sent', attempt_count: 2 }]);
});

it('a blocked bot ends the connection, and the page says so', async () => {
  const owner = await newOwner();
  await chooseTelegram(owner);
  await connect(owner.userId, 7);
  await tell(owner, 'telegram');
  telegram.blocked.add('7');
  await send(after(2));
  expect(await readTelegramState(database.pool, owner.userId)).toMatchObject({
    isConnected: false,
    isBlocked: true,
  });
  expect(await states()).toEqual([{ state: 'refused', attempt_count: 1 }]);
});

it('a test goes to every channel that is there, once a minute', async () => {
  const owner = await newOwner();
  await connect(owner.userId, 7);
  const test = () => sendTestNotice(database.pool, owner.place, { userId: owner.userId, now: NOW });
  expect(await test()).toEqual({ channels: ['email', 'telegram'] });
  await test();
  expect(await send(after(2))).toBe(2);
  expect(telegram.sent.at(-1)?.text).toContain('test notification');
});
