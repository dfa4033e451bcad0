import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { transition } from '../invoices/transition.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { createMerchantFixture, type MerchantFixture } from '../testing/factories.ts';
import { createTestLink } from '../testing/links.ts';
import { listLinks, readLinkForBuyer, readLinkUse } from './data.ts';
import { switchLink } from './mutations.ts';
import { orderAtLink, TIME_TO_PAY_MS } from './order-at-link.ts';
import type { LinkOrder, PaymentLink } from './types.ts';

const NOW = new Date('2026-11-29T12:00:00.000Z');
const STAFF = { type: 'staff', id: 'usr_1', label: 'a@example.com' } as const;
const ORDER: LinkOrder = {
  amountMinor: 2_500_000n,
  quantity: 1,
  note: null,
  email: null,
  phone: null,
};

let database: TestDatabase;
let merchant: MerchantFixture;
beforeAll(async () => {
  database = await createTestDatabase();
  merchant = await createMerchantFixture(database.pool);
});
afterAll(() => database.drop());

const make = (overrides: Partial<Parameters<typeof createTestLink>[2]> = {}) =>
  createTestLink(database.pool, merchant.sandbox.tenant, { now: NOW, ...overrides });

function order(link: PaymentLink, formKey: string = randomUUID(), content = ORDER, now = NOW) {
  const context = { now, requestId: null };
  return orderAtLink(database.pool, { link, order: content, formKey }, context);
}

async function usesOf({ id }: PaymentLink): Promise<unknown> {
  const { rows } = await database.pool.query(
    `SELECT uses, (SELECT count(*)::int FROM payment_link_uses WHERE link_id = l.id) AS made,
            (SELECT count(*)::int FROM invoices WHERE merchant_transaction_id LIKE l.code || '-%')
              AS invoices
     FROM payment_links l WHERE id = $1`,
    [id],
  );
  return rows[0];
}

async function stateOf({ code }: PaymentLink, now = NOW) {
  return (await readLinkForBuyer(database.pool, code, now))?.state;
}

async function end(invoiceId: string | null) {
  const place = { invoiceId: invoiceId ?? '', tenant: null };
  const later = new Date(NOW.getTime() + TIME_TO_PAY_MS + 1);
  const actor = { type: 'clock' } as const;
  await transition(database.pool, place, { trigger: 'expire' }, { actor, now: later });
}

it('makes 50 invoices for 200 buyers at once on a link with 50 uses', async () => {
  const link = await make({ usesLimit: 50 });
  const made = await Promise.all(Array.from({ length: 200 }, () => order(link)));
  const ids = made.filter((id) => id !== null);
  expect(ids).toHaveLength(50);
  expect(new Set(ids).size).toBe(50);
  expect(await usesOf(link)).toEqual({ uses: 50, made: 50, invoices: 50 });
  expect(await stateOf(link)).toBe('sold_out');
});

it('makes one invoice of a form that is sent five times at once, and once more later', async () => {
  const link = await make({ usesLimit: 1 });
  const sent = await Promise.all([1, 2, 3, 4, 5].map(() => order(link, 'form')));
  const again = await order(link, 'form');
  expect(new Set([...sent, again]).size).toBe(1);
  expect(again).toMatch(/^inv_/);
  expect(await usesOf(link)).toEqual({ uses: 1, made: 1, invoices: 1 });
});

it('makes another invoice of a form that comes back with another amount', async () => {
  const link = await make();
  const first = await order(link, 'form');
  const second = await order(link, 'form', { ...ORDER, amountMinor: 1n });
  expect(second).not.toBe(first);
  expect(await usesOf(link)).toEqual({ uses: 2, made: 2, invoices: 2 });
});

it('gives back the use of an invoice that ended unpaid, and of no other', async () => {
  const link = await make({ usesLimit: 2 });
  const first = await order(link);
  await order(link);
  expect(await order(link)).toBeNull();
  await end(first);
  expect(await stateOf(link)).toBe('open');
  const made = await Promise.all([order(link), order(link), order(link)]);
  expect(made.filter((id) => id !== null)).toHaveLength(1);
  expect(await usesOf(link)).toEqual({ uses: 2, made: 3, invoices: 3 });
  expect(await stateOf(link)).toBe('sold_out');
});

describe('no invoice is made', () => {
  it('by a link that is off, until it is on again', async () => {
    const { tenant } = merchant.sandbox;
    const link = await make();
    const turn = (isOn: boolean) =>
      switchLink(database.pool, tenant, { id: link.id, isOn }, { actor: STAFF, now: NOW });
    await turn(false);
    expect(await order(link)).toBeNull();
    expect(await stateOf(link)).toBe('off');
    expect(await usesOf(link)).toEqual({ uses: 0, made: 0, invoices: 0 });
    await turn(true);
    expect(await order(link)).toMatch(/^inv_/);
  });

  it('by a link from its end on', async () => {
    const link = await make({ endsAtMs: NOW.getTime() + 1 });
    expect(await order(link)).toMatch(/^inv_/);
    const atEnd = new Date(NOW.getTime() + 1);
    expect(await order(link, 'late', ORDER, atEnd)).toBeNull();
    expect(await stateOf(link, atEnd)).toBe('ended');
  });

  it('by a link of a suspended merchant', async () => {
    const { id, production } = await createMerchantFixture(database.pool);
    const link = await createTestLink(database.pool, production.tenant, { now: NOW });
    await database.pool.query(`UPDATE merchants SET status = 'suspended' WHERE id = $1`, [id]);
    expect(await order(link)).toBeNull();
    expect(await stateOf(link)).toBe('off');
  });
});

it('keeps what the buyer typed with the invoice, for the link’s own merchant', async () => {
  const { tenant } = merchant.sandbox;
  const link = await make({ maxQuantity: 3, title: 'Tea' });
  const typed = { note: 'Table 4', email: 'a@b.uz', phone: '+998901234567' };
  const content = { ...ORDER, quantity: 3, ...typed };
  const id = (await order(link, 'form', content)) ?? '';
  const use = { linkId: link.id, linkTitle: 'Tea', quantity: 3, ...typed };
  expect(await readLinkUse(database.pool, tenant, id)).toEqual(use);
  expect(await readLinkUse(database.pool, merchant.production.tenant, id)).toBeNull();
  const { rows } = await database.pool.query(
    'SELECT description, environment, amount_minor::text AS minor, error_url FROM invoices WHERE id = $1',
    [id],
  );
  expect(rows).toEqual([
    {
      description: 'Tea × 3',
      environment: 'sandbox',
      minor: '2500000',
      error_url: expect.stringMatching(new RegExp(`/link/${link.code}$`)),
    },
  ]);
});

it('counts for staff what is paid or can be', async () => {
  const { pool } = database;
  const { production } = await createMerchantFixture(pool);
  const link = await createTestLink(pool, production.tenant, { now: NOW });
  const [paid, ended] = [await order(link), await order(link), await order(link)];
  await end(ended);
  await pool.query(
    `UPDATE invoices SET status = 'PAID', capture_attempt_id = 'pay_1' WHERE id = $1`,
    [paid],
  );
  const figures = { id: link.id, uses: 2, paid: 1, paidMinor: 2_500_000n };
  expect(await listLinks(pool, production.tenant, NOW)).toMatchObject([figures]);
  expect(await listLinks(pool, merchant.production.tenant, NOW)).toEqual([]);
});
