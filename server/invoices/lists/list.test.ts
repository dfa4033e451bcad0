import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Tenant } from '../../merchants/types.ts';
import { payInSandbox } from '../../payments/providers/sandbox/sandbox-drive.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database/database.ts';
import { createMerchantFixture, type MerchantFixture } from '../../testing/factories.ts';
import { createTestInvoice, NO_FILTERS } from '../../testing/invoices.ts';
import { cancelInvoice } from '../cancel.ts';
import { cancelByStaff } from '../cancel-by-staff.ts';
import { readInvoiceDetail } from '../detail.ts';
import { listInvoices } from './list.ts';
import type { InvoiceFilters } from './list-types.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const STAFF = { type: 'staff', id: 'usr_1', label: 'a@example.com' } as const;

let database: TestDatabase;
let merchant: MerchantFixture;
let stranger: MerchantFixture;
/** The invoices' ids, one second apart, the oldest first. */
let ids: string[];
const at = (second: number) => new Date(NOW.getTime() + second * 1000);

beforeAll(async () => {
  database = await createTestDatabase();
  const { pool } = database;
  merchant = await createMerchantFixture(pool);
  stranger = await createMerchantFixture(pool);
  ids = await makeSix(merchant.sandbox.tenant);
  await cancelByStaff(pool, merchant.sandbox.tenant, ids[1]!, { actor: STAFF, now: at(10) });
  // Another merchant and the other environment have the same invoices: a list that let them through
  // would show ids outside `ids`.
  for (const { tenant } of [stranger.sandbox, merchant.production]) {
    const others = await makeSix(tenant);
    await cancelInvoice(pool, tenant, others[1]!, { actor: { type: 'api' }, now: at(10) });
  }
});
afterAll(() => database.drop());

/** Six invoices; the first is paid in the sandbox. */
async function makeSix(tenant: Tenant): Promise<string[]> {
  const made: string[] = [];
  for (let i = 0; i < 6; i++) {
    const invoice = { amountMinor: 1000 + i, merchantTransactionId: `order-${i}`, now: at(i) };
    made.push(await createTestInvoice(database.pool, tenant, invoice));
  }
  if (tenant.environment === 'production') return made;
  await payInSandbox(database.pool, tenant, made[0]!, {
    outcome: 'approved',
    clock: () => at(10),
    actor: { type: 'test' },
    onLateError: () => undefined,
  });
  return made;
}

async function found(filters: Partial<InvoiceFilters>): Promise<number[]> {
  const page = { filters: { ...NO_FILTERS, ...filters }, cursor: null, limit: 50 };
  const { invoices } = await listInvoices(database.pool, merchant.sandbox.tenant, page);
  return invoices.map(({ id }) => ids.indexOf(id));
}

it('all, the newest first, page by page without a gap', async () => {
  const seen: number[] = [];
  let cursor: string | null = null;
  do {
    const page = { filters: NO_FILTERS, cursor, limit: 4 };
    const answer = await listInvoices(database.pool, merchant.sandbox.tenant, page);
    seen.push(...answer.invoices.map(({ id }) => ids.indexOf(id)));
    cursor = answer.nextCursor;
  } while (cursor !== null);
  expect(seen).toEqual([5, 4, 3, 2, 1, 0]);
});

it('what the filters name', async () => {
  expect(await found({ statuses: ['PAID'] })).toEqual([0]);
  expect(await found({ statuses: ['CANCELED', 'PAID'] })).toEqual([1, 0]);
  expect(await found({ currency: 'EUR' })).toEqual([]);
  expect(await found({ minAmountMinor: 1004n })).toEqual([5, 4]);
  expect(await found({ maxAmountMinor: 1001n })).toEqual([1, 0]);
  expect(await found({ fromMs: at(2).getTime(), untilMs: at(4).getTime() })).toEqual([3, 2]);
  expect(await found({ callbackState: 'pending' })).toEqual([1, 0]);
});

it('what the search names: id, transaction id, amount, last four digits', async () => {
  expect(await found({ search: ids[3]! })).toEqual([3]);
  expect(await found({ search: 'order-2' })).toEqual([2]);
  expect(await found({ search: '10.05' })).toEqual([5]);
  expect(await found({ search: '10,00' })).toEqual([0]);
  expect(await found({ search: '4242' })).toEqual([0]);
  expect(await found({ search: '4242', statuses: ['CANCELED'] })).toEqual([]);
});

it('with the card that paid, though another attempt bears a later time; else the newest', async () => {
  const tried = [
    [ids[0], '0002', at(20)],
    [ids[2], '0002', at(20)],
    [ids[2], '0003', at(21)],
  ];
  for (const [index, attempt] of tried.entries()) {
    await database.pool.query(
      `INSERT INTO payment_attempts (id, invoice_id, status, provider, amount_minor, currency,
         card_brand, card_last4, created_at, updated_at)
       VALUES ($1, $2, 'declined', 'sandbox', 100, 'USD', 'visa', $3, $4, $4)`,
      [`pay_tried_${index}`, ...attempt],
    );
  }
  const page = { filters: NO_FILTERS, cursor: null, limit: 50 };
  const { invoices } = await listInvoices(database.pool, merchant.sandbox.tenant, page);
  const cards = new Map(invoices.map(({ id, cardLast4 }) => [ids.indexOf(id), cardLast4]));
  expect([0, 1, 2].map((index) => cards.get(index))).toEqual(['4242', null, '0003']);
});

it('with the acquirer’s id of the payment, which stands on the receipt, where it is paid', async () => {
  const { rows } = await database.pool.query<{ authorisation_id: string }>(
    `SELECT authorisation_id FROM payment_attempts WHERE invoice_id = $1 AND status = 'captured'`,
    [ids[0]],
  );
  const page = { filters: NO_FILTERS, cursor: null, limit: 50 };
  const { invoices } = await listInvoices(database.pool, merchant.sandbox.tenant, page);
  const references = new Map(invoices.map((each) => [each.id, each.paymentReference]));
  expect(rows[0]?.authorisation_id).toMatch(/^sbx_/);
  expect(references.get(ids[0]!)).toBe(rows[0]?.authorisation_id);
  // The other invoice's card was only declined.
  expect(references.get(ids[2]!)).toBeNull();
});

it('with what the acquirer keeps of the payment, where it is paid and told', async () => {
  const fees = async () => {
    const page = { filters: NO_FILTERS, cursor: null, limit: 50 };
    const { invoices } = await listInvoices(database.pool, merchant.sandbox.tenant, page);
    return ids.map((id) => invoices.find((each) => each.id === id)?.feeMinor);
  };
  const [paid, ...others] = ids.map(() => null);
  expect(await fees()).toEqual([paid, ...others]);
  await database.pool.query('UPDATE payment_attempts SET fee_minor = 29');
  expect(await fees()).toEqual([29n, ...others]);
  await database.pool.query('UPDATE payment_attempts SET fee_minor = NULL');
});

it('nothing of another merchant’s by what it alone has', async () => {
  const { rows } = await database.pool.query<{ name: string }>(
    `SELECT unnest(ARRAY[i.id, p.id, p.authorisation_id]) AS name FROM invoices i
     JOIN payment_attempts p ON p.invoice_id = i.id WHERE i.merchant_id = $1`,
    [stranger.id],
  );
  expect(rows).toHaveLength(3);
  for (const { name } of rows) expect(await found({ search: name })).toEqual([]);
  const own = { filters: { ...NO_FILTERS, search: rows[0]!.name }, cursor: null, limit: 50 };
  const { invoices } = await listInvoices(database.pool, stranger.sandbox.tenant, own);
  expect(invoices.map(({ id }) => id)).toEqual([rows[0]!.name]);
});

it('nor an id to go on from that is another merchant’s, whose attempts end the search', async () => {
  // This card paid both; the search of the older one's merchant finds the newer one first.
  const paid = async (id: string) => {
    const { rows } = await database.pool.query<{ id: string }>(
      `SELECT id FROM invoices WHERE merchant_id = $1 AND status = 'PAID'`,
      [id],
    );
    return rows.map((row) => row.id);
  };
  for (const [own, other] of [
    [merchant, stranger],
    [stranger, merchant],
  ] as const) {
    const seen: string[] = [];
    const cursors: (string | null)[] = [null];
    for (const cursor of cursors) {
      const page = { filters: { ...NO_FILTERS, search: '4242' }, cursor, limit: 50 };
      const answer = await listInvoices(database.pool, own.sandbox.tenant, page, { lookedAt: 1 });
      seen.push(...answer.invoices.map(({ id }) => id));
      if (answer.nextCursor !== null) cursors.push(answer.nextCursor);
    }
    expect(seen).toEqual(await paid(own.id));
    for (const id of await paid(other.id)) expect(cursors.join()).not.toContain(id);
  }
});

it('nor whether another merchant’s payments lie above or below a place in the list', async () => {
  const { rows } = await database.pool.query<{ id: string }>(
    `SELECT id FROM invoices WHERE merchant_id = ANY($1) AND status = 'PAID' ORDER BY id DESC`,
    [[merchant.id, stranger.id]],
  );
  const [newer] = rows.map((row) => row.id);
  const newerIsMine =
    (
      await database.pool.query('SELECT 1 FROM invoices WHERE id = $1 AND merchant_id = $2', [
        newer,
        merchant.id,
      ])
    ).rowCount === 1;
  const { tenant } = (newerIsMine ? stranger : merchant).sandbox;
  expect(rows).toHaveLength(2);
  const asked = async (cursor: string) => {
    const filters = { ...NO_FILTERS, search: '4242', minAmountMinor: 10n ** 12n };
    const page = { filters, cursor, limit: 50 };
    const answer = await listInvoices(database.pool, tenant, page, { lookedAt: 1 });
    return [answer.invoices, answer.nextCursor, answer.searchedToMs];
  };
  expect(await asked(`${newer}0`)).toEqual(await asked(newer!));
});

it('an invoice with the one change of its status, by whom', async () => {
  const { tenant } = merchant.sandbox;
  const detail = await readInvoiceDetail(database.pool, tenant, ids[1]!, { now: at(11) });
  expect(detail?.change).toMatchObject({
    status: 'CANCELED',
    actorType: 'staff',
    actorId: 'usr_1',
  });
  expect(
    await readInvoiceDetail(database.pool, merchant.production.tenant, ids[1]!, { now: at(11) }),
  ).toBeNull();
});

it('one line in the audit log for a cancel, none for its repetition or a refusal', async () => {
  const { tenant } = merchant.sandbox;
  const repeat = { actor: STAFF, now: at(12) };
  await cancelByStaff(database.pool, tenant, ids[1]!, repeat);
  expect((await cancelByStaff(database.pool, tenant, ids[0]!, repeat)).outcome).toBe('final');
  const { rows } = await database.pool.query(
    `SELECT target_id, actor_label FROM audit_log WHERE action = 'invoice.cancel'`,
  );
  expect(rows).toEqual([{ target_id: ids[1], actor_label: 'a@example.com' }]);
});

it('with a filter that no index answers: so far back at a time, and on from there', async () => {
  const seen: number[] = [];
  const stops: (number | null)[] = [];
  let cursor: string | null = null;
  do {
    const filters = { ...NO_FILTERS, maxAmountMinor: 1002n };
    const page = { filters, cursor, limit: 50 };
    const few = { lookedAt: 2 };
    const answer = await listInvoices(database.pool, merchant.sandbox.tenant, page, few);
    seen.push(...answer.invoices.map(({ id }) => ids.indexOf(id)));
    stops.push(answer.searchedToMs);
    cursor = answer.nextCursor;
  } while (cursor !== null);
  expect(seen).toEqual([2, 1, 0]);
  // The last page ends at the last row, so that no empty page follows.
  expect(stops).toEqual([at(3).getTime(), at(1).getTime(), null]);
});

it('with a search of several meanings: none goes on past where another stopped', async () => {
  const { tenant } = merchant.sandbox;
  const own = { amountMinor: 77n, merchantTransactionId: '0.77' };
  const old = await createTestInvoice(database.pool, tenant, {
    ...own,
    amountMinor: Number(own.amountMinor),
    now: at(-9),
  });
  const page = { filters: { ...NO_FILTERS, search: '0.77' }, cursor: null, limit: 50 };
  const answer = await listInvoices(database.pool, tenant, page, { lookedAt: 2 });
  expect(answer.invoices.map(({ id }) => id)).toEqual([old]);
  expect(answer.pendingSearchedToMs).toBe(at(4).getTime());
});

it('with a search by amount: only among invoices that can have the status', async () => {
  const { tenant } = merchant.sandbox;
  // Only the canceled one has it, and both ways reach their bound at once.
  const asked = (statuses: InvoiceFilters['statuses']) => {
    const page = { filters: { ...NO_FILTERS, search: '10.01', statuses }, cursor: null, limit: 50 };
    return listInvoices(database.pool, tenant, page, { lookedAt: 1 });
  };
  const canceled = await asked(['CANCELED']);
  expect(canceled).toMatchObject({ invoices: [{ id: ids[1] }], pendingSearchedToMs: null });
  const withCallback = { ...NO_FILTERS, search: '10.01', callbackState: 'delivered' as const };
  const told = { filters: withCallback, cursor: null, limit: 50 };
  const { pendingSearchedToMs } = await listInvoices(database.pool, tenant, told, { lookedAt: 1 });
  expect(pendingSearchedToMs).toBeNull();
  const pending = await asked(['PENDING']);
  expect(pending).toMatchObject({ invoices: [], nextCursor: null, searchedToMs: null });
  expect(pending.pendingSearchedToMs).not.toBeNull();
  const both = await asked(['PENDING', 'CANCELED']);
  expect(both.invoices.map(({ id }) => id)).toEqual([ids[1]]);
  expect(both.pendingSearchedToMs).not.toBeNull();
});

it('by callbacks that few are in, however long ago', async () => {
  const page = {
    filters: { ...NO_FILTERS, callbackState: 'pending' as const },
    cursor: null,
    limit: 50,
  };
  const few = { lookedAt: 2 };
  const answer = await listInvoices(database.pool, merchant.sandbox.tenant, page, few);
  expect(answer.invoices.map(({ id }) => ids.indexOf(id))).toEqual([1, 0]);
  expect(answer).toMatchObject({ nextCursor: null, searchedToMs: null });
});
