import type { Pool } from 'pg';
import { SMTPServer } from 'smtp-server';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { closeMail, type MailRoute } from '../mail/send.ts';
import { payInvoice } from '../payments/pay.ts';
import { endRefund, openRefund } from '../refunds/transition.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { createMerchantFixture, type MerchantFixture } from '../testing/factories.ts';
import { createTestInvoice } from '../testing/invoices.ts';
import { cardWith } from '../testing/payments.ts';
import { keepContact } from './contacts.ts';
import { listReceiptEmails, resendReceipt } from './emails.ts';
import { sendReceiptEmails } from './send-receipts.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const MINUTE_MS = 60_000;
const after = (minutes: number) => new Date(NOW.getTime() + minutes * MINUTE_MS);
const actor = { type: 'staff', id: 'usr_1', label: 'support@shop.example' } as const;

let database: TestDatabase;
let merchant: MerchantFixture;
let smtp: SMTPServer;
let route: MailRoute;
/** What the mail server took, and what it answers: to a recipient, or instead of taking an e-mail. */
let received: { to: string; raw: string }[] = [];
let answers: { recipient?: string; data?: string } = {};

function refusal(text: string | undefined): Error | null {
  const [code, message = ''] = (text ?? '').split(/ (.*)/);
  return text ? Object.assign(new Error(message), { responseCode: Number(code) }) : null;
}

beforeAll(async () => {
  database = await createTestDatabase();
  merchant = await createMerchantFixture(database.pool);
  smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo: (_address, _session, callback) => callback(refusal(answers.recipient)),
    onData: (stream, { envelope }, callback) => {
      const pieces: Buffer[] = [];
      stream.on('data', (piece: Buffer) => pieces.push(piece));
      stream.on('end', () => {
        const busy = refusal(answers.data);
        const to = envelope.rcptTo[0]?.address ?? '';
        if (!busy) received.push({ to, raw: Buffer.concat(pieces).toString() });
        callback(busy);
      });
    },
  });
  await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', () => resolve()));
  const { port } = smtp.server.address() as { port: number };
  const from = 'Payments <no-reply@pay.example>';
  route = { smtpUrl: `smtp://127.0.0.1:${port}`, from, outboxFolder: '', say: () => undefined };
});
afterAll(async () => {
  closeMail();
  await new Promise<void>((resolve) => smtp.close(() => resolve()));
  await database.drop();
});
beforeEach(() => {
  received = [];
  answers = {};
});
afterEach(() => database.pool.query('DELETE FROM receipt_emails'));

const send = (at: Date, db: Pool = database.pool) =>
  sendReceiptEmails(db, { route, clock: () => at, limit: 10 });

/** An invoice that a buyer has paid after giving an address, if any. */
async function paid(address: string | null, locale: 'en' | 'ru' | 'uz' = 'en'): Promise<string> {
  const { pool } = database;
  const endDateMs = after(60).getTime();
  const id = await createTestInvoice(pool, merchant.sandbox.tenant, { now: NOW, endDateMs });
  if (address !== null) await keepContact(pool, id, { address, locale });
  const { outcome } = await payInvoice(pool, id, cardWith('4242424242424242'), {
    clock: () => NOW,
    actor: { type: 'buyer' },
    waitMs: 10_000,
    onLateError: (error) => {
      throw error;
    },
  });
  expect(outcome).toBe('attempted');
  return id;
}

const headerOf = (raw: string | undefined, name: string) =>
  new RegExp(`^${name}: (.*)$`, 'im').exec(raw ?? '')?.[1];
/** The subject, decoded (RFC 2047, encoding Q). */
const subjectOf = (raw: string) => {
  const [, folded = ''] = /^Subject: (.*(?:\r\n[ \t].*)*)$/im.exec(raw) ?? [];
  const joined = folded.replace(/\?=\s+=\?UTF-8\?Q\?/g, '');
  return joined
    .replace(/=\?UTF-8\?Q\?(.*?)\?=/g, (_, text: string) => {
      const bytes = text
        .replaceAll('_', ' ')
        .replace(/=([0-9A-F]{2})/g, (__, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
      return Buffer.from(bytes, 'latin1').toString();
    })
    .replaceAll('\u00a0', ' ');
};
const statesOf = async (id: string) =>
  (await listReceiptEmails(database.pool, id)).map(({ kind, state, address, reason }) =>
    [kind, state, address, reason ?? ''].join(' ').trim(),
  );

test('a buyer who gave an address gets the confirmation with its PDF, once', async () => {
  const id = await paid('anna@example.com');
  expect(await statesOf(id)).toEqual(['paid waiting anna@example.com']);
  await Promise.all([send(NOW), send(NOW), send(NOW)]);
  await send(after(10));
  expect(received.map(({ to }) => to)).toEqual(['anna@example.com']);
  const { raw = '' } = received[0] ?? {};
  expect(subjectOf(raw)).toBe('Payment confirmation · $15.00 · Test merchant');
  expect(headerOf(raw, 'From')).toBe('Test merchant <no-reply@pay.example>');
  expect(headerOf(raw, 'Message-ID')).toBe(`<eml_${id.slice(4)}@pay.example>`);
  expect(raw).toContain(`filename=receipt-${id}.pdf`);
  expect(await statesOf(id)).toEqual(['paid sent anna@example.com']);
});

test('a buyer who gave none, or took it back, gets nothing', async () => {
  await paid(null);
  const id = await createTestInvoice(database.pool, merchant.sandbox.tenant, { now: NOW });
  await keepContact(database.pool, id, { address: 'anna@example.com', locale: 'en' });
  await keepContact(database.pool, id, null);
  expect(await send(after(10))).toBe(0);
});

test('after the payment nobody with the link changes where e-mails go', async () => {
  const id = await paid('anna@example.com');
  await keepContact(database.pool, id, { address: 'eve@example.com', locale: 'en' });
  await keepContact(database.pool, id, null);
  const { rows } = await database.pool.query(
    'SELECT address FROM buyer_contacts WHERE invoice_id = $1',
    [id],
  );
  expect(rows).toEqual([{ address: 'anna@example.com' }]);
});

test('a worker that dies after the mail server took it sends the same Message-ID once more', async () => {
  const id = await paid('anna@example.com', 'uz');
  const dying = new Proxy(database.pool, {
    get(pool, name: keyof Pool) {
      if (name !== 'query') return Reflect.get(pool, name);
      return (query: { name?: string }, ...rest: []) => {
        if (query.name === 'record_receipt_email') throw new Error('killed');
        return pool.query(query as never, ...rest);
      };
    },
  });
  await send(NOW, dying);
  expect(await send(after(4))).toBe(0);
  expect(await send(after(5))).toBe(1);
  const ids = received.map(({ raw }) => headerOf(raw, 'Message-ID'));
  expect(ids).toEqual([`<eml_${id.slice(4)}@pay.example>`, ids[0]]);
  expect(await statesOf(id)).toEqual(['paid sent anna@example.com']);
});

test('an address that the mail server refuses is told to staff, and is not tried again', async () => {
  answers = { recipient: '550 5.1.1 no such user here' };
  const id = await paid('nobody@example.com');
  await send(NOW);
  expect(await statesOf(id)).toEqual([
    'paid refused nobody@example.com 550 5.1.1 no such user here',
  ]);
  expect(await send(after(10_000))).toBe(0);
});

test('a mail server that fails is tried again by the schedule, and given up after a day', async () => {
  answers = { data: '451 4.3.0 try later' };
  const id = await paid('anna@example.com');
  await send(NOW);
  const waiting = ['paid waiting anna@example.com 451 4.3.0 try later'];
  expect(await statesOf(id)).toEqual(waiting);
  let minutes = 0;
  for (const pause of [1, 5, 15, 60, 180, 480, 1_440]) {
    expect(await send(after(minutes + pause - 0.5))).toBe(0);
    expect(await statesOf(id)).toEqual(waiting);
    minutes += pause;
    expect(await send(after(minutes))).toBe(1);
  }
  expect(await statesOf(id)).toEqual(['paid failed anna@example.com 451 4.3.0 try later']);
  expect(received).toEqual([]);
});

test('each refund is told in the buyer’s language once the money is back; one that failed is not', async () => {
  const id = await paid('anna@example.com', 'ru');
  await send(NOW);
  const { pool } = database;
  const open = async () => {
    const about = { invoiceId: id, refundTransactionId: null, amountMinor: 500n, reason: null };
    const wish = { ...about, reference: null, actor: null, recoverAt: after(60) };
    return (await openRefund(pool, wish, NOW))?.id ?? '';
  };
  const [first, second] = [await open(), await open()];
  const end = { reference: null, failureReason: null, now: NOW };
  await endRefund(pool, first, 'succeed', end);
  await endRefund(pool, second, 'succeed', end);
  // The acquirer takes the second back before its e-mail has left.
  await endRefund(pool, second, 'fail', end);
  await send(after(1));
  expect(received).toHaveLength(2);
  const { raw = '' } = received[1] ?? {};
  expect(headerOf(raw, 'Message-ID')).toBe(`<eml_${first.slice(4)}@pay.example>`);
  expect(subjectOf(raw)).toBe('Возврат · 5 $ · Test merchant');
  expect((await statesOf(id)).sort()).toEqual([
    'paid sent anna@example.com',
    'refund failed anna@example.com outdated',
    'refund sent anna@example.com',
  ]);
});

test('staff send it again, to a corrected address that later e-mails go to; it is audited', async () => {
  const { pool } = database;
  const { tenant } = merchant.sandbox;
  const id = await paid(null);
  const request = { invoiceId: id, actor, now: NOW };
  await expect(resendReceipt(pool, tenant, { ...request, typed: 'anna@' })).rejects.toMatchObject({
    code: 'buyer_email_invalid',
  });
  const other = await createMerchantFixture(pool);
  const typed = ' anna@example.com ';
  await expect(
    resendReceipt(pool, other.sandbox.tenant, { ...request, typed }),
  ).rejects.toMatchObject({ code: 'invoice_not_found' });
  await resendReceipt(pool, tenant, { ...request, typed });
  await resendReceipt(pool, tenant, { ...request, typed: 'anna@example.org' });
  await send(NOW);
  expect(received.map(({ to }) => to).sort()).toEqual(['anna@example.com', 'anna@example.org']);
  const ids = received.map(({ raw }) => headerOf(raw, 'Message-ID'));
  expect(new Set(ids).size).toBe(2);
  const { rows } = await pool.query(
    `SELECT a.details, c.address FROM audit_log a JOIN buyer_contacts c ON c.invoice_id = a.target_id
     WHERE a.action = 'receipt.resend' ORDER BY a.id`,
  );
  expect(rows).toEqual([
    { details: { email: 'anna@example.com' }, address: 'anna@example.org' },
    { details: { email: 'anna@example.org' }, address: 'anna@example.org' },
  ]);
});

test('without a mail server nothing is taken from the queue', async () => {
  const id = await paid('anna@example.com');
  const off = { ...route, smtpUrl: null };
  expect(await sendReceiptEmails(database.pool, { route: off, clock: () => NOW, limit: 10 })).toBe(
    0,
  );
  expect(await statesOf(id)).toEqual(['paid waiting anna@example.com']);
});
