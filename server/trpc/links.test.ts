import { afterAll, beforeAll, expect, it } from 'vitest';
import { readLinkForBuyer } from '../links/data.ts';
import { orderAtLink } from '../links/order-at-link.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { createStaffedShop, type StaffedShop } from '../testing/staff.ts';

const NOW = new Date();
const FORM = {
  title: 'Coffee',
  description: null,
  currency: 'UZS' as const,
  price: { amountMinor: 2_500_000 },
  maxQuantity: 3,
  asksNote: 'optional' as const,
  asksEmail: 'off' as const,
  asksPhone: 'off' as const,
  usesLimit: 2,
  endsAtMs: null,
};

let database: TestDatabase;
let shop: StaffedShop;
beforeAll(async () => {
  database = await createTestDatabase();
  shop = await createStaffedShop(database.pool, NOW);
});
afterAll(() => database.drop());

it('makes a link, shows what buyers ordered at it, and switches it off and on', async () => {
  const { pool } = database;
  const { links, invoices } = shop.calls();
  const { linkId } = await links.create(FORM);
  const { url } = await links.read({ linkId });
  const code = url.replace(/.*\/link\//, '');
  const link = await readLinkForBuyer(pool, code, NOW);
  if (!link) throw new Error('no link');
  const typed = { quantity: 3, note: 'Table 4', email: null, phone: null };
  const command = { link, order: { amountMinor: 7_500_000n, ...typed }, formKey: 'form' };
  const invoiceId = (await orderAtLink(pool, command, { now: NOW, requestId: null })) ?? '';

  const shown = await links.read({ linkId });
  expect(shown.link).toMatchObject({ state: 'open', uses: 1, paid: 0, paidMinor: 0n });
  const order = { invoiceId, status: 'PENDING', amountMinor: 7_500_000n, ...typed };
  expect(shown.orders).toEqual([{ ...order, createdAtMs: NOW.getTime() }]);
  expect((await invoices.read({ invoiceId })).linkUse).toEqual({
    linkId,
    linkTitle: 'Coffee',
    ...typed,
  });

  await links.switch({ linkId, isOn: false });
  await links.switch({ linkId, isOn: false });
  expect((await links.list())[0]).toMatchObject({ id: linkId, isOn: false, state: 'off' });
  await links.switch({ linkId, isOn: true });
  const { rows } = await pool.query(
    `SELECT action FROM audit_log WHERE target_id = $1 AND details->>'name' = 'Coffee' ORDER BY id`,
    [linkId],
  );
  const actions = rows.map(({ action }) => action);
  expect(actions).toEqual(['link.create', 'link.switch_off', 'link.switch_on']);
  expect(await shop.calls({ environment: 'production' }).links.list()).toEqual([]);
});

it.each([
  ['bounds in the wrong order', { price: { leastMinor: 2, greatestMinor: 1 }, maxQuantity: 1 }],
  ['pieces of an amount that the buyer types', { price: { leastMinor: 1, greatestMinor: 2 } }],
  ['more than an invoice can have', { price: { amountMinor: Number.MAX_SAFE_INTEGER } }],
])('refuses %s', async (_what, wrong) => {
  const refused = shop.calls().links.create({ ...FORM, ...wrong });
  await expect(refused).rejects.toMatchObject({ code: 'BAD_REQUEST' });
});
