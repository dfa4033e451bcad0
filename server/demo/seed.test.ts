import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMerchant, type NewMerchant } from '../merchants/mutations.ts';
import { listSamples, takeSample } from '../operating/samples.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { createMerchantFixture } from '../testing/factories.ts';
import { createTestInvoice } from '../testing/invoices.ts';
import { booksDisagree } from '../testing/payments.ts';
import { refundBooksDisagree } from '../testing/refunds.ts';
import { seedDemo } from './seed.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const OPERATOR = { type: 'operator', id: null, label: 'gateway command' } as const;
const INVOICES = 3_000;

let database: TestDatabase;
let shop: NewMerchant;
beforeAll(async () => {
  database = await createTestDatabase();
  shop = await newMerchant('shop');
  await seed(shop.merchantId, {});
});
afterAll(() => database.drop());

const newMerchant = (name: string, label = 'test') =>
  createMerchant(database.pool, {
    name,
    ownerEmail: `${name}@example.com`,
    actor: { ...OPERATOR, label },
    now: NOW,
  });

function seed(merchantId: string | null, more: { seed?: number; invoices?: number }) {
  return seedDemo(database.pool, {
    merchantId,
    invoices: INVOICES,
    seed: 1,
    publicUrl: 'http://localhost:3000',
    actor: OPERATOR,
    now: NOW,
    onProgress: () => undefined,
    ...more,
  });
}

async function one(sql: string): Promise<Record<string, unknown>> {
  return (await database.pool.query(sql)).rows[0] ?? {};
}

describe('the demo seed', () => {
  it('writes books that agree with the invoices', async () => {
    expect(await booksDisagree(database.pool)).toEqual([]);
    expect(await refundBooksDisagree(database.pool)).toEqual([]);
    const { open } = await one(`SELECT count(*)::int AS open FROM sandbox_authorisations a
      WHERE a.state = 'approved' AND NOT EXISTS (SELECT FROM sandbox_ledger_entries e
        WHERE e.authorisation_id = a.id AND e.kind <> 'authorisation')`);
    expect(open).toBe(0);
  });

  it('numbers the audit log in the order of time, over all batches', async () => {
    const late = await one(`SELECT count(*)::int AS entries,
        count(*) FILTER (WHERE at < before)::int AS misplaced
      FROM (SELECT at, lag(at) OVER (ORDER BY id) AS before FROM audit_log
            WHERE merchant_id = '${shop.merchantId}' AND target_type = 'invoice') log`);
    expect(late).toEqual({ entries: expect.any(Number), misplaced: 0 });
    expect(late.entries).toBeGreaterThan(10);
  });

  it('gives every final invoice one history and one callback, and a pending one neither', async () => {
    const odd = await one(`SELECT count(*)::int AS odd FROM invoices i
      LEFT JOIN invoice_events e ON e.invoice_id = i.id AND e.to_status = i.status AND e.at = i.status_changed_at
      LEFT JOIN callbacks c ON c.invoice_id = i.id AND c.invoice_status = i.status
      WHERE (i.status = 'PENDING') <> (e.id IS NULL) OR (i.status = 'PENDING') <> (c.invoice_id IS NULL)`);
    expect(odd).toEqual({ odd: 0 });
  });

  it('refunds some invoices, whole, in parts and in vain, long after they were paid', async () => {
    const seen = await one(`SELECT
      count(*) FILTER (WHERE r.status = 'FAILED') > 0 AS failed,
      count(*) FILTER (WHERE i.refunded_minor = i.amount_minor) > 0 AS whole,
      count(*) FILTER (WHERE i.refunded_minor BETWEEN 1 AND i.amount_minor - 1) > 0 AS part,
      count(*) FILTER (WHERE r.actor_type = 'staff') = (SELECT count(*) FROM audit_log
        WHERE action = 'refund.create' AND details->>'refund' LIKE 'ref_%') AS audited,
      count(*) FILTER (WHERE r.created_at < i.status_changed_at
        OR r.updated_at > '2026-11-21T12:00:00Z')::int AS misplaced
      FROM refunds r JOIN invoices i ON i.id = r.invoice_id`);
    expect(seen).toEqual({ failed: true, whole: true, part: true, audited: true, misplaced: 0 });
  });

  it('lists what happened, each event once and in the order of time', async () => {
    const odd = await one(`SELECT
      (SELECT count(*)::int FROM invoices i WHERE i.created_position IS NULL
        OR (SELECT count(*) FROM events e WHERE e.invoice_id = i.id AND e.type LIKE 'invoice.%')
          <> CASE i.status WHEN 'PENDING' THEN 0 ELSE 1 END) AS invoices,
      (SELECT count(*)::int FROM refunds r WHERE
        (SELECT array_agg(e.type ORDER BY e.number) FROM events e WHERE e.refund_id = r.id)
          <> ARRAY['refund.created', 'refund.' || lower(r.status::text)]) AS refunds,
      (SELECT count(*)::int FROM callbacks c WHERE
        (c.state = 'exhausted' OR c.extra_attempts > 0) <> EXISTS (SELECT FROM events e
          WHERE e.invoice_id = c.invoice_id AND e.type = 'callback.exhausted')) AS callbacks,
      (SELECT count(*)::int FROM (SELECT at, lag(at) OVER (ORDER BY number) AS before FROM events
        WHERE merchant_id = '${shop.merchantId}') log WHERE at < before) AS misplaced`);
    expect(odd).toEqual({ invoices: 0, refunds: 0, callbacks: 0, misplaced: 0 });
  });

  it('counts as many attempts as it lists, and believes only an accepted one', async () => {
    const odd = await one(`SELECT count(*)::int AS odd FROM callbacks c WHERE
      c.attempt_count <> (SELECT count(*) FROM callback_attempts a WHERE a.callback_id = c.id)
      OR (c.state = 'delivered') <> EXISTS (SELECT FROM callback_attempts a
           WHERE a.callback_id = c.id AND a.delivered)`);
    expect(odd).toEqual({ odd: 0 });
  });

  it('counts a resend beside the steps of the schedule, of which there are eleven', async () => {
    const seen = await one(`SELECT max(attempt_count - extra_attempts)::int AS steps,
      count(*) FILTER (WHERE extra_attempts > 0)::int > 0 AS resent,
      count(*) FILTER (WHERE extra_attempts <> (SELECT count(*) FROM callback_attempts a
        WHERE a.callback_id = c.id AND a.trigger = 'resend'))::int AS odd FROM callbacks c`);
    expect(seen).toEqual({ steps: 11, resent: true, odd: 0 });
  });

  it('leaves nothing that a worker would take up within a year', async () => {
    const due = await one(`SELECT
      (SELECT count(*)::int FROM callbacks WHERE state = 'pending') AS callbacks,
      (SELECT count(*)::int FROM invoices WHERE status = 'PENDING' AND end_date < '2027-11-22') AS expiries,
      (SELECT count(*)::int FROM payment_attempts WHERE recover_at IS NOT NULL) AS recoveries,
      (SELECT count(*)::int FROM refunds WHERE status = 'PENDING') AS refunds`);
    expect(due).toEqual({ callbacks: 0, expiries: 0, recoveries: 0, refunds: 0 });
  });

  it('holds every status and currency, callbacks that failed, and only what is past', async () => {
    const seen = await one(`SELECT count(DISTINCT status)::int AS statuses,
      count(DISTINCT currency)::int AS currencies,
      (SELECT count(*) > 0 FROM callbacks WHERE state = 'exhausted') AS exhausted,
      (SELECT count(*) > 0 FROM callbacks WHERE next_attempt_at > '2026-11-21T12:00:00Z'
        OR delivered_at > '2026-11-21T12:00:00Z') AS "toCome",
      count(*) FILTER (WHERE environment <> 'sandbox')::int AS production,
      max(greatest(created_at, status_changed_at)) <= '2026-11-21T12:00:00Z' AS past FROM invoices`);
    expect(seen).toEqual({
      statuses: 4,
      currencies: 4,
      exhausted: true,
      toCome: false,
      production: 0,
      past: true,
    });
  });

  it('is the same for the same seed', async () => {
    const print = `SELECT md5(string_agg(i.amount_minor || i.status::text || i.created_at, ',' ORDER BY i.merchant_transaction_id)) AS print
      FROM invoices i WHERE merchant_id = `;
    const twin = await newMerchant('twin');
    await seed(twin.merchantId, {});
    expect(await one(`${print} '${twin.merchantId}'`)).toEqual(
      await one(`${print} '${shop.merchantId}'`),
    );
  }, 60_000);
});

describe('the demo seed refuses', () => {
  it('a seed that is there already', async () => {
    await expect(seed(shop.merchantId, {})).rejects.toThrow('This seed is there already');
  });

  it('a merchant with invoices of its own, and writes nothing', async () => {
    const real = await createMerchantFixture(database.pool);
    await createTestInvoice(database.pool, real.sandbox.tenant, { now: NOW });
    await expect(seed(real.id, {})).rejects.toThrow('has invoices of its own');
    expect(
      await one(`SELECT count(*)::int AS n FROM invoices WHERE merchant_id = '${real.id}'`),
    ).toEqual({ n: 1 });
  });

  it('to guess whose data it is', async () => {
    await expect(seed(null, {})).rejects.toThrow('There is no demo merchant');
    await expect(seed('mer_none', {})).rejects.toThrow('There is no merchant mer_none');
  });
});

it('takes the merchant of the first start, with what was tried there', async () => {
  const { merchantId } = await newMerchant('demo', 'first start');
  expect(await seed(null, { invoices: 10 })).toEqual({ merchantId, invoices: 10 });
  expect(await seed(null, { invoices: 10, seed: 2 })).toEqual({ merchantId, invoices: 10 });
});

it('is nothing that the gateway has done since its last sample', async () => {
  const { pool } = database;
  const { merchantId } = await newMerchant('counted');
  const counted = async (atMs: number) => {
    await takeSample(pool, new Date(atMs));
    const samples = await listSamples(pool, new Date(0));
    return samples.map(({ statusChanges, deliveryAttempts }) => [statusChanges, deliveryAttempts]);
  };
  const [before] = await counted(NOW.getTime());
  await seed(merchantId, { invoices: 100 });
  const [first, second] = await counted(NOW.getTime() + 60_000);
  expect(first).not.toEqual(before);
  expect(second).toEqual(first);
});
