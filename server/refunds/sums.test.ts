import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { Tenant } from '../merchants/types.ts';
import { log } from '../observability/log.ts';
import { SandboxRefunds } from '../payments/providers/sandbox/sandbox-refunds.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { createMerchantFixture } from '../testing/factories.ts';
import { createPaidInvoice, refundBooksDisagree } from '../testing/refunds.ts';
import { listRefunds } from './data.ts';
import { recoverRefunds } from './recover.ts';
import { requestRefund } from './refund.ts';
import { endRefund } from './transition.ts';

const AMOUNT = 1_000;
let database: TestDatabase;
let tenant: Tenant;
let nowMs = Date.parse('2026-11-21T12:00:00.000Z');
const clock = () => new Date(nowMs);

beforeAll(async () => {
  database = await createTestDatabase(10);
  tenant = (await createMerchantFixture(database.pool)).sandbox.tenant;
});
afterEach(() => vi.restoreAllMocks());
afterAll(() => database.drop());

/** What the acquirer does with the next call. */
type Fault = 'none' | 'lost before' | 'lost after';
type Step =
  | { kind: 'ask'; amounts: number[]; reason: string | null; fault: Fault }
  | { kind: 'recover'; afterMs: number }
  | { kind: 'fail late' };

const original = SandboxRefunds.prototype.refund;
let fault: Fault = 'none';

async function refundWithFault(this: SandboxRefunds, ...args: Parameters<typeof original>) {
  if (fault === 'lost before') throw new Error('lost');
  const answer = await original.apply(this, args);
  if (fault === 'lost after') throw new Error('lost');
  return answer;
}

const steps: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('ask' as const),
      amounts: fc.array(fc.integer({ min: 1, max: AMOUNT / 2 }), { minLength: 1, maxLength: 6 }),
      reason: fc.constantFrom(null, null, 'test:fail', 'test:pending'),
      fault: fc.constantFrom<Fault>('none', 'none', 'lost before', 'lost after'),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('recover' as const),
      afterMs: fc.constantFrom(1_000, 5_000, 60_000),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'fail late' as const }) },
);

async function listed(invoiceId: string) {
  const found = await listRefunds(database.pool, tenant, invoiceId);
  if (!found) throw new Error(`${invoiceId} is gone`);
  return found;
}

async function ask(invoiceId: string, { amounts, reason }: Extract<Step, { kind: 'ask' }>) {
  const before = await listed(invoiceId);
  const begun = await Promise.all(
    amounts.map((amount) => {
      const refundTransactionId = randomUUID();
      const wanted = { invoiceId, refundTransactionId, amountMinor: BigInt(amount), reason };
      const by = { actor: { type: 'api' }, audit: null, key: null, clock } as const;
      return requestRefund(database.pool, tenant, wanted, by);
    }),
  );
  // In whatever order they were taken in, none was refused that would have fitted at the end.
  const passed = begun.filter((each) => 'refund' in each);
  const { refundableMinor } = await listed(invoiceId);
  for (const [index, each] of begun.entries()) {
    const isFree = reason !== 'test:fail' && 'refusal' in each;
    if (isFree) expect(BigInt(amounts[index] ?? 0)).toBeGreaterThan(refundableMinor);
  }
  if (before.refundableMinor >= BigInt(Math.max(...amounts))) {
    expect(passed.length).toBeGreaterThan(0);
  }
}

/** A refund that succeeded fails days later, at the sandbox as well. */
async function failLate(invoiceId: string): Promise<void> {
  const done = (await listed(invoiceId)).refunds.find(({ status }) => status === 'SUCCEEDED');
  if (!done) return;
  const end = { reference: null, failureReason: 'sent back', now: clock() };
  expect(await endRefund(database.pool, done.id, 'fail', end)).not.toBeNull();
  await database.pool.query('DELETE FROM sandbox_ledger_entries WHERE refund_id = $1', [done.id]);
}

async function take(invoiceId: string, step: Step): Promise<void> {
  if (step.kind === 'ask') {
    ({ fault } = step);
    await ask(invoiceId, step);
    fault = 'none';
  } else if (step.kind === 'recover') {
    nowMs += step.afterMs;
    await recoverRefunds(database.pool, { clock, limit: 100 });
  } else {
    await failLate(invoiceId);
  }
}

test('whatever is asked, lost, refused, or fails late: the sum is exact, never above what was captured, and the ledgers agree', async () => {
  vi.spyOn(log(), 'error').mockImplementation(() => undefined);
  vi.spyOn(SandboxRefunds.prototype, 'refund').mockImplementation(refundWithFault);
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { minLength: 1, maxLength: 8 }), async (taken) => {
      const invoiceId = await createPaidInvoice(database.pool, tenant, {
        now: clock(),
        amountMinor: AMOUNT,
      });
      for (const step of taken) {
        await take(invoiceId, step);
        const { refunds, refundedMinor, refundableMinor } = await listed(invoiceId);
        const sum = refunds
          .filter(({ status }) => status !== 'FAILED')
          .reduce((total, { amountMinor }) => total + amountMinor, 0n);
        expect([refundedMinor, refundableMinor]).toEqual([sum, BigInt(AMOUNT) - sum]);
        expect(refundableMinor).toBeGreaterThanOrEqual(0n);
      }
      // What was never heard of there is begun by the first, and takes its time.
      for (let time = 0; time < 2; time++) {
        nowMs += 600_000;
        await recoverRefunds(database.pool, { clock, limit: 100 });
      }
      const open = (await listed(invoiceId)).refunds.filter(({ status }) => status === 'PENDING');
      expect(open).toEqual([]);
      expect(await refundBooksDisagree(database.pool)).toEqual([]);
    }),
    { numRuns: 25 },
  );
});
