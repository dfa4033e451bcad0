import assert from 'node:assert/strict';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, test, vi } from 'vitest';
import { log } from '../observability/log.ts';
import type { Delivery } from '../testing/acquirers/stripe.ts';
import { openStripeShop, type StripeShop } from '../testing/acquirers/stripe-shop.ts';
import { withOwnDataDir } from '../testing/settings.ts';
import { listRefunds } from './data.ts';
import { recoverRefunds } from './recover.ts';
import { requestRefund } from './refund.ts';

const AMOUNT = 7_999;
const FAULTS = ['none', 'none', 'cut before', 'cut after', 'slow'] as const;
type Fault = (typeof FAULTS)[number];

let shop: StripeShop;
let serial = 0;

withOwnDataDir();
beforeAll(async () => {
  shop = await openStripeShop();
});
afterEach(() => vi.restoreAllMocks());
afterAll(() => shop.close());

/** The merchant's ids of the refunds that were taken, in order. */
type Model = { taken: string[] };
type Real = { invoiceId: string; intentId: string };
type Run = (model: Model, real: Real) => Promise<void>;

const here = async ({ invoiceId }: Real) => {
  const found = await listRefunds(shop.database.pool, shop.merchant.sandbox.tenant, invoiceId);
  assert.ok(found);
  return found;
};
const there = ({ intentId }: Real) =>
  shop.bank.refunds().filter(({ paymentId }) => paymentId === intentId);

async function request(real: Real, id: string, amount: number | null): Promise<string> {
  const amountMinor = amount === null ? null : BigInt(amount);
  const begun = await requestRefund(
    shop.database.pool,
    shop.merchant.sandbox.tenant,
    { invoiceId: real.invoiceId, refundTransactionId: id, amountMinor, reason: null },
    { actor: { type: 'api' }, audit: null, key: null, clock: shop.clock },
  );
  if ('isRepeat' in begun) throw new Error('there was no key');
  return 'refund' in begun ? 'taken' : begun.refusal.code;
}

/** Asks at once for several sums, null for all that is left. One is taken unless none fits. */
async function ask(
  { amounts, fault, isPending }: { amounts: (number | null)[]; fault: Fault; isPending: boolean },
  model: Model,
  real: Real,
): Promise<void> {
  const { refundableMinor: left } = await here(real);
  shop.bank.books.refundStatus = isPending ? 'pending' : 'succeeded';
  shop.bank.faults.set('POST /v1/refunds', fault === 'none' ? [] : [fault]);
  const wishes = amounts.map((amount) => {
    serial += 1;
    return { id: `life-${serial}`, amount };
  });
  const outcomes = await Promise.all(
    wishes.map(async ({ id, amount }) => ({ id, outcome: await request(real, id, amount) })),
  );
  shop.bank.faults.clear();
  const taken = outcomes.filter(({ outcome }) => outcome === 'taken').map(({ id }) => id);
  assert.ok(outcomes.every(({ outcome }) => ['taken', 'refund_too_much'].includes(outcome)));
  const fits = amounts.filter((amount) => left > 0n && BigInt(amount ?? 0) <= left);
  assert.equal(taken.length > 0, fits.length > 0);
  model.taken.push(...taken);
}

const repeat: Run = async ({ taken }, real) => {
  const last = taken.at(-1);
  if (last) assert.equal(await request(real, last, null), 'refund_exists');
};

/** A refund of the payment there that stands so. */
const oneThere = (real: Real, state: 'open' | 'succeeded') =>
  there(real).find((each) => each.state === state)?.id;

function settle(status: 'succeeded' | 'failed', real: Real): void {
  const id = oneThere(real, 'open');
  if (id) shop.bank.books.settleRefund(id, status);
}

/** The buyer's bank sends one back that had succeeded, days later. */
function failLate(real: Real): void {
  const id = oneThere(real, 'succeeded');
  shop.pass(3 * 86_400_000);
  if (id) shop.bank.books.settleRefund(id, 'failed', 'expired_or_canceled_card');
}

/** The merchant gives a part back in Stripe's Dashboard, if that much is left there. */
function inDashboard(amount: number, { intentId }: Real): void {
  try {
    const form = { payment_intent: intentId, amount: String(amount) };
    shop.bank.books.refund(shop.account.key, form);
  } catch {
    // Stripe refuses it.
  }
}

async function deliver(delivery: Delivery): Promise<void> {
  shop.bank.delivery = delivery;
  await shop.bank.deliver();
  shop.bank.delivery = 'held back';
}

async function recover(afterMs: number): Promise<void> {
  shop.pass(afterMs);
  await recoverRefunds(shop.database.pool, { clock: shop.clock, limit: 100 });
}

type EventRow = { id: string; status: string; created: number; succeeded: number; failed: number };

async function eventsOf({ invoiceId }: Real): Promise<EventRow[]> {
  const { rows } = await shop.database.pool.query<EventRow>(
    `SELECT r.id, r.status::text,
       count(*) FILTER (WHERE e.type = 'refund.created')::int AS created,
       count(*) FILTER (WHERE e.type = 'refund.succeeded')::int AS succeeded,
       count(*) FILTER (WHERE e.type = 'refund.failed')::int AS failed
     FROM refunds r LEFT JOIN events e ON e.refund_id = r.id
     WHERE r.invoice_id = $1 GROUP BY r.id`,
    [invoiceId],
  );
  return rows;
}

/** What holds after every step, whatever is still open or untold. */
async function assertSums({ taken }: Model, real: Real): Promise<void> {
  const { refunds, refundedMinor } = await here(real);
  const kept = refunds.filter(({ status }) => status !== 'FAILED');
  assert.equal(
    refundedMinor,
    kept.reduce((sum, { amountMinor }) => sum + amountMinor, 0n),
  );
  assert.ok(refundedMinor <= BigInt(AMOUNT), 'more than was captured');
  const ids = refunds.flatMap(({ refundTransactionId }) => refundTransactionId ?? []);
  assert.deepEqual(ids.toSorted(), taken.toSorted());
  const ours = there(real).flatMap(({ ourId }) => ourId ?? []);
  assert.equal(new Set(ours).size, ours.length, 'one was made twice there');
  for (const { status, created, succeeded, failed } of await eventsOf(real)) {
    assert.deepEqual([created, failed], [1, status === 'FAILED' ? 1 : 0]);
    assert.ok(succeeded === 1 || (succeeded === 0 && status !== 'SUCCEEDED'));
  }
}

/** Everything ends and is told: then both sides agree to the unit. */
async function finish(model: Model, real: Real): Promise<void> {
  shop.bank.books.refundStatus = 'succeeded';
  for (let time = 0; time < 3; time++) {
    while (oneThere(real, 'open')) settle('succeeded', real);
    await recover(20 * 60_000);
    await deliver('in order');
  }
  assert.equal(shop.bank.books.events.length, 0, 'what is told is taken');
  await assertSums(model, real);
  const line = (state: string, amountMinor: bigint, id: string | null) =>
    `${state} ${amountMinor} ${id}`;
  const STATES = { PENDING: 'open', SUCCEEDED: 'succeeded', FAILED: 'ended' };
  const { refunds } = await here(real);
  // One that failed may never have begun there, or have come and gone untold.
  const linesHere = refunds
    .filter(({ status }) => status !== 'FAILED')
    .map(({ status, amountMinor, reference }) => line(STATES[status], amountMinor, reference));
  const linesThere = there(real)
    .filter(({ state }) => state !== 'ended')
    .map(({ state, amountMinor, id }) => line(state, amountMinor, id));
  assert.deepEqual(linesHere.toSorted(), linesThere.toSorted());
}

class Step implements fc.AsyncCommand<Model, Real> {
  private readonly name: string;
  private readonly act: Run;

  constructor(name: string, act: Run) {
    this.name = name;
    this.act = act;
  }

  check(): boolean {
    return true;
  }

  async run(model: Model, real: Real): Promise<void> {
    await this.act(model, real);
    await assertSums(model, real);
  }

  toString(): string {
    return this.name;
  }
}

const sum = fc.integer({ min: 1, max: Math.floor(AMOUNT * 0.6) });
const asks = fc
  .record({
    amounts: fc.array(fc.option(sum, { freq: 4 }), { minLength: 1, maxLength: 4 }),
    fault: fc.constantFrom(...FAULTS),
    isPending: fc.boolean(),
  })
  .map((given) => new Step(`ask ${JSON.stringify(given)}`, (...both) => ask(given, ...both)));

const commands = [
  asks,
  asks,
  fc.constant(new Step('repeat', repeat)),
  fc
    .constantFrom('succeeded' as const, 'failed' as const)
    .map((status) => new Step(status, async (_, real) => settle(status, real))),
  fc.constant(new Step('fail late', async (_, real) => failLate(real))),
  sum.map(
    (amount) => new Step(`dashboard ${amount}`, async (_, real) => inDashboard(amount, real)),
  ),
  fc
    .constantFrom<Delivery>('in order', 'out of order', 'twice')
    .map((delivery) => new Step(`deliver ${delivery}`, () => deliver(delivery))),
  fc
    .constantFrom(1_000, 60_000, 86_400_000)
    .map((afterMs) => new Step(`recover after ${afterMs}`, () => recover(afterMs))),
];

test('whatever is asked, lost, given back in the Dashboard, sent back late, and told in any order: the sums are exact, and Stripe’s books agree', async () => {
  vi.spyOn(log(), 'error').mockImplementation(() => undefined);
  await fc.assert(
    fc.asyncProperty(fc.commands(commands, { maxCommands: 12, size: 'max' }), async (steps) => {
      shop.bank.delivery = 'in order';
      const invoiceId = await shop.newInvoice('USD', AMOUNT);
      const { id: intentId } = await shop.bank.pay(await shop.atPage(invoiceId));
      shop.bank.delivery = 'held back';
      const life = { model: { taken: [] }, real: { invoiceId, intentId } };
      await fc.asyncModelRun(() => life, steps);
      await finish(life.model, life.real);
    }),
    { numRuns: 10 },
  );
}, 300_000);
