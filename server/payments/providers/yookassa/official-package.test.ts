import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runProgram } from '../../../lib/run-program.ts';
import { childEnvironment, projectRoot } from '../../../settings/settings.ts';
import { openShops } from '../../../testing/acquirers/yookassa-shop.ts';
import { providePythonPackages } from '../../../testing/samples/python-packages.ts';
import { withOwnDataDir } from '../../../testing/settings.ts';

const besideStandIns = (name: string) =>
  path.join(projectRoot(), 'server', 'testing', 'acquirers', name);
const packages = await providePythonPackages(besideStandIns('requirements-yookassa.txt'));
const unless = packages.missing ? ` (not run: ${packages.missing})` : '';

let shops: Awaited<ReturnType<typeof openShops>>;

withOwnDataDir();
beforeAll(async () => {
  shops = await openShops();
});
afterAll(() => shops.close());

/** The bodies of a payment with a receipt and of a part that is given back, as the gateway sends them. */
async function ownBodies() {
  const { bank, newInvoice, withReceipts, attemptsOf, clock } = shops;
  const invoiceId = await newInvoice();
  await shops.start(invoiceId, withReceipts, 'buyer@example.com');
  bank.pay(bank.of(invoiceId)[0]?.id ?? '');
  await bank.deliver();
  const [attempt] = await attemptsOf(invoiceId);
  if (!attempt?.transactionId) throw new Error('it was not captured');
  const { refunds } = await shops.open(withReceipts);
  const payment = { ...attempt, transactionId: attempt.transactionId };
  const asked = { refundId: 'ref_1', payment, amountMinor: 50_050n, refundedBeforeMinor: 0n };
  const rest = { reason: 'Не подошло', reference: null, createdAtMs: clock().getTime() };
  await refunds.refund({ ...asked, ...rest }, clock());
  const of = (operation: string) =>
    bank.posts.flatMap((each) => (each.operation === operation ? [JSON.parse(each.body)] : []));
  return { payments: of('POST /payments'), refunds: of('POST /refunds') };
}

test.runIf(!packages.missing)(
  `YooKassa’s own package drives the stand-in, and reads our bodies as its own${unless}`,
  async () => {
    const bodies = await ownBodies();
    const shop = shops.bank.shops.get('100500');
    if (shop) shop.hookUrl = null;
    const run = await runProgram(
      'python3',
      [besideStandIns('yookassa_driver.py'), shops.bank.apiUrl, JSON.stringify(bodies)],
      { env: childEnvironment({ PYTHONPATH: packages.folder, PYTHONDONTWRITEBYTECODE: '1' }) },
    );
    expect(run).toMatchObject({ ok: true });
    const said = JSON.parse(run.output.trim().split('\n').at(-1) ?? '');
    const { bodies: written, refund_bodies: writtenRefunds, ...steps } = said;
    expect(steps).toEqual({
      me: ['100500', 'enabled', true],
      created: ['pending', false, '1500.50', '7'],
      once: true,
      other_body: 'Idempotence-Key',
      returned: 'https://shop.example/return',
      held: ['waiting_for_capture', true, '0004'],
      taken: ['succeeded', '1447.99', true],
      taken_again: true,
      refunded: ['succeeded', '500.50', true],
      found: 'succeeded',
      too_much: 'amount',
      refunds: true,
      canceled: ['canceled', 'canceled_by_merchant'],
      declined: ['canceled', 'payment_network'],
      listed: true,
      waiting: true,
      unknown: 'payment_id',
      wrong_key: true,
    });
    expect(bodies.payments).toHaveLength(1);
    expect(bodies.refunds).toHaveLength(1);
    // It writes a quantity with one digit behind the point.
    const asTheirs = (body: object) =>
      JSON.parse(JSON.stringify(body).replaceAll('"quantity":"1.00"', '"quantity":"1.0"'));
    expect(written).toMatchObject(bodies.payments.map(asTheirs));
    expect(writtenRefunds).toMatchObject(bodies.refunds.map(asTheirs));
  },
  60_000,
);
