import fc from 'fast-check';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { cancelInvoice } from '../invoices/cancel.ts';
import { expireDueInvoices } from '../invoices/expire.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { createMerchantFixture, type MerchantFixture } from '../testing/factories.ts';
import { CHALLENGED_CARD, FakeAcquirer } from '../testing/fake-acquirer.ts';
import { createTestInvoice } from '../testing/invoices.ts';
import { cardWith } from '../testing/payments.ts';
import { payInvoice } from './pay.ts';
import { recoverPayments } from './recover.ts';
import { resumePayment } from './resume.ts';

// Books and invoices agree in the end, whatever an acquirer does and in whatever order calls come.

let acquirer: FakeAcquirer;
vi.mock(import('./providers/registry.ts'), async (original) => {
  const { registryWith } = await import('../testing/fake-acquirer.ts');
  return registryWith(await original(), () => acquirer);
});

let database: TestDatabase;
let merchant: MerchantFixture;
beforeAll(async () => {
  database = await createTestDatabase();
  merchant = await createMerchantFixture(database.pool);
});
afterAll(() => database.drop());

const NOW_MS = Date.parse('2026-11-21T12:00:00.000Z');
const HOUR_MS = 3_600_000;
const isOutage = (error: unknown) => /acquirer/.test(String(error));

type Decision = Parameters<FakeAcquirer['decide']>[1];

class Life {
  nowMs = NOW_MS;
  readonly invoiceIds: readonly [string, string];
  /** The late errors of payments. An assertion in their callback would fail no run. */
  readonly lateErrors: unknown[] = [];

  constructor(...invoiceIds: [string, string]) {
    this.invoiceIds = invoiceIds;
  }

  #options() {
    return { clock: () => new Date(this.nowMs), actor: { type: 'buyer' } as const };
  }

  async pay(which: 0 | 1, number: string): Promise<void> {
    await payInvoice(database.pool, this.invoiceIds[which], cardWith(number), {
      ...this.#options(),
      waitMs: 10_000,
      onLateError: (error) => this.lateErrors.push(error),
    });
  }

  #key(pick: number): string {
    const keys = [...acquirer.books.keys()];
    return keys[pick % keys.length] ?? 'pay_none';
  }

  decide(pick: number, decision: Decision): void {
    acquirer.decide(this.#key(pick), decision, new Date(this.nowMs));
  }

  /** Sends a return or a webhook of any attempt. */
  async resume(pick: number): Promise<void> {
    const key = this.#key(pick);
    await resumePayment(database.pool, key, this.#options()).catch((error: unknown) =>
      expect(error).toSatisfy(isOutage),
    );
  }

  async recover(): Promise<void> {
    const { clock } = this.#options();
    const { errors } = await recoverPayments(database.pool, { clock, limit: 100 });
    for (const error of errors) expect(error).toSatisfy(isOutage);
  }

  async cancel(): Promise<void> {
    const context = { actor: { type: 'api' }, now: new Date(this.nowMs) } as const;
    await cancelInvoice(database.pool, merchant.production.tenant, this.invoiceIds[0], context);
  }

  async sweep(): Promise<void> {
    await expireDueInvoices(database.pool, { now: new Date(this.nowMs), limit: 100 });
  }

  /** Everybody comes at this moment. */
  async rush(pick: number, cancels: boolean): Promise<void> {
    const all = [this.resume(pick), this.recover(), this.resume(pick), this.resume(pick + 1)];
    if (cancels) all.push(this.cancel());
    await Promise.all([...all, this.sweep()]);
  }
}

type Step = { name: string; run: (life: Life) => Promise<void> | void };
const step = (name: string, run: Step['run']): Step => ({ name, run });

const STEPS: fc.Arbitrary<Step> = fc.oneof(
  fc
    .tuple(
      fc.constantFrom<0 | 1>(0, 0, 1),
      fc.constantFrom(CHALLENGED_CARD, CHALLENGED_CARD, '4929000000001111'),
    )
    .map(([which, number]) => step(`pay ${which} ${number}`, (life) => life.pay(which, number))),
  fc
    .tuple(fc.nat(3), fc.constantFrom<Decision>('approved', 'approved', 'pending', 'declined'))
    .map(([pick, state]) => step(`decide ${pick} ${state}`, (life) => life.decide(pick, state))),
  fc.nat(3).map((pick) => step(`resume ${pick}`, (life) => life.resume(pick))),
  fc
    .tuple(fc.nat(3), fc.boolean())
    .map(([pick, cancels]) => step(`rush ${pick} ${cancels}`, (life) => life.rush(pick, cancels))),
  fc.constant(step('recover', (life) => life.recover())),
  fc.constantFrom(1_000, 20_000, 61_000, 4 * 60_000, 16 * 60_000).map((ms) =>
    step(`wait ${ms}`, (life) => {
      life.nowMs += ms;
    }),
  ),
  fc.constantFrom('before', 'after', null, null).map((outage) =>
    step(`outage ${outage}`, () => {
      acquirer.outage = outage;
    }),
  ),
  fc.boolean().map((takesTime) =>
    step(`captures take time: ${takesTime}`, () => {
      acquirer.captures = takesTime ? 'later' : 'at once';
    }),
  ),
  fc.constant(step('cancel', (life) => life.cancel())),
);

/** All is well again; the buyer is gone, and only the clock goes on. */
async function finish(life: Life, { approvesLate }: { approvesLate: boolean }): Promise<void> {
  acquirer.outage = null;
  life.nowMs += 16_000;
  await life.recover();
  for (const [key, { withdrawnAtMs }] of acquirer.books) {
    if (approvesLate && withdrawnAtMs) acquirer.decide(key, 'approved', new Date(life.nowMs));
  }
  for (const [key, { state }] of acquirer.books) {
    // The acquirer decides everything that it has promised to decide.
    if (state === 'pending') acquirer.decide(key, 'declined', new Date(life.nowMs));
  }
  for (let look = 0; look < 45; look++) {
    if (look === 3) acquirer.captures = 'at once';
    life.nowMs += 61_000;
    await life.recover();
    await life.sweep();
  }
  life.nowMs += HOUR_MS;
  await life.sweep();
}

async function assertBooks({ invoiceIds }: Life): Promise<void> {
  const { rows } = await database.pool.query(
    `SELECT i.status, i.capture_attempt_id AS claim,
       (SELECT count(*)::int FROM callbacks c WHERE c.invoice_id = i.id AND c.invoice_status = i.status) AS told,
       (SELECT count(*)::int FROM payment_attempts p WHERE p.invoice_id = i.id AND (p.recover_at IS NOT NULL
          OR p.status IN ('authorising', 'challenge', 'capturing', 'voiding'))) AS open
     FROM invoices i WHERE i.id = ANY ($1)`,
    [invoiceIds],
  );
  // An authorisation given to several keys stands here once.
  const entries = [...new Set(acquirer.books.values())];
  const captured = entries.filter(({ end }) => end === 'captured');
  for (const row of rows) expect(row).toMatchObject({ told: 1, open: 0 });
  const paid = rows.filter(({ status }) => status === 'PAID');
  expect(new Set(paid.map(({ claim }) => acquirer.books.get(claim)))).toEqual(new Set(captured));
  expect(paid).toHaveLength(captured.length);
  expect(entries.filter(({ state, end }) => state === 'approved' && end === null)).toEqual([]);
}

/** A case too rare to leave to chance: an approval after the invoice has ended. */
const TOO_LATE = [
  step('pay', (life) => life.pay(0, CHALLENGED_CARD)),
  step('cancel', (life) => life.cancel()),
  step('decide', (life) => life.decide(0, 'approved')),
];

test('at most one capture, PAID if and only if there is one, nothing stays reserved, one callback', async () => {
  const ends = new Set<string>();
  await fc.assert(
    fc.asyncProperty(
      fc.array(STEPS, { minLength: 3, maxLength: 16 }),
      fc.boolean(),
      fc.boolean(),
      async (steps, approvesLate, givesOneToAll) => {
        acquirer = new FakeAcquirer();
        acquirer.givesOneToAll = givesOneToAll;
        const { tenant } = merchant.production;
        const now = new Date(NOW_MS);
        const createOne = () => createTestInvoice(database.pool, tenant, { now });
        const life = new Life(await createOne(), await createOne());
        for (const { run } of steps) await run(life);
        await finish(life, { approvesLate });
        await assertBooks(life);
        for (const error of life.lateErrors) expect(error).toSatisfy(isOutage);
        for (const { end, state } of acquirer.books.values()) ends.add(end ?? state);
      },
    ),
    { numRuns: 100, examples: [[TOO_LATE, false, false]] },
  );
  // Every case has happened.
  expect([...ends].sort()).toEqual(['captured', 'challenge', 'declined', 'voided']);
}, 120_000);
