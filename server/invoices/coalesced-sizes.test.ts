import { expect, test } from 'vitest';
import type { Queryable } from '../db/pool.ts';
import { newId } from '../lib/ids.ts';
import { grantTenant } from '../merchants/tenant.ts';
import { hashesOf, newInvoice } from '../testing/invoices.ts';
import { coalescedCreate } from './coalesced.ts';
import type { CreateCommand } from './create.ts';
import type { NewInvoice } from './types.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const TENANT = grantTenant('mer_sizes', 'sandbox');
const KIB = 1024;
const QUOTES = (count: number) => '"'.repeat(count);

type Statement = { name: string; rows: number; isEscaped: boolean };

/** Records for each create its number of rows, and whether they came as arrays. */
function recorded(): { db: Queryable; statements: Statement[] } {
  const statements: Statement[] = [];
  const query = async (config: { name: string; values: unknown[] }) => {
    // The transaction ids are a text, or an array of texts.
    const ids = config.values[3];
    const isEscaped = Array.isArray(ids);
    statements.push({ name: config.name, rows: isEscaped ? ids.length : 1, isEscaped });
    const rows = [config.values[0]].flat().map((id) => ({ id, claimed: true, created: true }));
    return { rows, rowCount: rows.length };
  };
  return { db: { query: query as unknown as Queryable['query'] }, statements };
}

function command(
  overrides: Partial<NewInvoice>,
  idempotency: CreateCommand['idempotency'] = null,
): CreateCommand {
  const invoice = newInvoice(overrides);
  return { id: newId('inv', NOW.getTime()), createdAt: NOW, requestId: null, invoice, idempotency };
}

async function statementsOf(commands: readonly CreateCommand[]): Promise<Statement[]> {
  const { db, statements } = recorded();
  const create = coalescedCreate(db);
  await Promise.all(commands.map((each) => create(TENANT, each)));
  return statements;
}

const many = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

test('sixty-four ordinary creates are one statement', async () => {
  const cart = JSON.stringify({ cart: 'c-7719', customer: 42, source: 'web' });
  const urls = {
    successUrl: `https://shop.example/${'a'.repeat(80)}`,
    errorUrl: `https://shop.example/${'b'.repeat(80)}`,
    callbackUrl: `https://shop.example/${'c'.repeat(80)}`,
  };
  const ordinary = many(64, () => command({ ...urls, merchantData: cart }));
  expect((await statementsOf(ordinary)).map(({ rows }) => rows)).toEqual([64]);
});

test('long creates go alone, their texts as they are', async () => {
  const title = QUOTES(480);
  const positions = many(500, () => ({ title, amountMinor: 3, currency: 'USD' as const }));
  const statements = await statementsOf(many(6, () => command({ positions })));
  expect(statements).toEqual(
    many(6, () => ({ name: 'create_invoice', rows: 1, isEscaped: false })),
  );
});

// Each long field counts, up to the contract's limit.
test.each<[string, Partial<NewInvoice>, number]>([
  ['merchant_data', { merchantData: JSON.stringify(QUOTES(8 * KIB - 1)) }, 16 * KIB],
  ['description', { description: '🎟'.repeat(KIB) }, 2 * KIB],
  ['success_url', { successUrl: QUOTES(2 * KIB) }, 2 * KIB],
  ['error_url', { errorUrl: QUOTES(2 * KIB) }, 2 * KIB],
  ['callback_url', { callbackUrl: QUOTES(2 * KIB) }, 2 * KIB],
  [
    'titles',
    { positions: many(10, () => ({ title: QUOTES(512), amountMinor: 150, currency: 'USD' })) },
    5 * KIB,
  ],
])('no statement has more than 64 KiB of %s', async (_, long, bytes) => {
  const statements = await statementsOf(many(64, () => command(long)));
  const most = Math.max(...statements.map(({ rows }) => rows));
  expect(most).toBeGreaterThan(1);
  expect(most * bytes).toBeLessThanOrEqual(64 * KIB);
  expect(statements.reduce((sum, { rows }) => sum + rows, 0)).toBe(64);
});

test('nor of keys and the answers kept with them', async () => {
  const keyed = many(64, (index) =>
    command(
      {},
      {
        key: `${QUOTES(250)}${index}`,
        ...hashesOf('same'),
        responseBody: Buffer.alloc(2 * KIB),
      },
    ),
  );
  const statements = await statementsOf(keyed);
  const most = Math.max(...statements.map(({ rows }) => rows));
  expect(most).toBeGreaterThan(1);
  expect(most * (2 * KIB + 250)).toBeLessThanOrEqual(64 * KIB);
});
