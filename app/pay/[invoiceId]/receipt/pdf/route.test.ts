import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { openPool } from '#server/db/pool.ts';
import { payInSandbox } from '#server/payments/providers/sandbox/sandbox-drive.ts';
import { createTestDatabase, type TestDatabase } from '#server/testing/database/database.ts';
import { createMerchantFixture, type MerchantFixture } from '#server/testing/factories.ts';
import { createTestInvoice } from '#server/testing/invoices.ts';
import { readPdf } from '#server/testing/read-pdf.ts';

const process = vi.hoisted(() => ({ pool: null as unknown }));
const written = vi.hoisted(() => [] as string[]);
vi.mock('#app/_i18n/request-locale.ts', () => ({ requestLocale: async () => 'uz' }));
vi.mock('#server/db/pool.ts', async (original) => ({
  ...(await original<typeof import('#server/db/pool.ts')>()),
  getPool: () => process.pool,
}));
vi.mock('#server/receipts/receipt-pdf.ts', async (original) => {
  const real = await original<typeof import('#server/receipts/receipt-pdf.ts')>();
  return { receiptPdf: vi.fn(real.receiptPdf) };
});
vi.mock('#server/observability/log.ts', async (original) => {
  const real = await original<typeof import('#server/observability/log.ts')>();
  const logger = real.createLogger('error', { write: (line) => void written.push(line) });
  return { ...real, log: () => logger };
});

const { GET } = await import('./route.ts');
const { receiptPdf } = await import('#server/receipts/receipt-pdf.ts');

let database: TestDatabase;
let merchant: MerchantFixture;
beforeAll(async () => {
  database = await createTestDatabase();
  merchant = await createMerchantFixture(database.pool);
});
beforeEach(() => {
  process.pool = database.pool;
  written.splice(0);
});
afterAll(() => database.drop());

const get = (invoiceId: string) =>
  GET(new Request('https://pay.example'), { params: Promise.resolve({ invoiceId }) });

function pendingInvoice(description = 'Two tickets'): Promise<string> {
  const now = new Date();
  const endDateMs = now.getTime() + 3_600_000;
  return createTestInvoice(database.pool, merchant.sandbox.tenant, { now, endDateMs, description });
}

async function paidInvoice(description?: string): Promise<string> {
  const { pool } = database;
  const id = await pendingInvoice(description);
  const { outcome } = await payInSandbox(pool, merchant.sandbox.tenant, id, {
    outcome: 'approved',
    clock: () => new Date(),
    actor: { type: 'test' },
    onLateError: (error) => {
      throw error;
    },
  });
  if (outcome !== 'paid') throw new Error(outcome);
  return id;
}

/** Checks the answer for a receipt that cannot be made now. */
async function expectBusy(answer: Response): Promise<void> {
  expect(answer.status).toBe(503);
  expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  expect(await answer.text()).toContain('boʻlmayapti');
}

test('of a paid invoice it is a file that nobody keeps', async () => {
  const id = await paidInvoice();
  const answer = await get(id);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('application/pdf');
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(answer.headers.get('content-disposition')).toContain(`receipt-${id}.pdf`);
  expect(Buffer.from(await answer.arrayBuffer()).toString('latin1')).toMatch(/^%PDF-/);
});

test('there is none of an invoice that is not paid, nor of one that is nowhere', async () => {
  const capturing = await pendingInvoice();
  await database.pool.query(`UPDATE invoices SET capture_attempt_id = 'pay_x' WHERE id = $1`, [
    capturing,
  ]);
  for (const id of [await pendingInvoice(), capturing, `inv_${'0'.repeat(35)}`, 'x']) {
    const answer = await get(id);
    expect(answer.status).toBe(404);
    expect(answer.headers.get('cache-control')).toBe('no-store');
  }
});

test('where the invoice cannot be read, a buyer is told to try again in their language', async () => {
  const id = await paidInvoice();
  const away = openPool(database.url, 1);
  await away.end();
  process.pool = away;
  await expectBusy(await get(id));
});

test('where it cannot be made, too, and the log tells why', async () => {
  vi.mocked(receiptPdf).mockRejectedValueOnce(new Error('a font is missing'));
  await expectBusy(await get(await paidInvoice()));
  expect(written.filter((line) => line.includes('a font is missing'))).toHaveLength(1);
});

test('it is in the buyer’s language, and names its page where it lacks something', async () => {
  const id = await paidInvoice('Choy ᚠ');
  const answer = await get(id);
  const { language, text, links } = await readPdf(new Uint8Array(await answer.arrayBuffer()));
  expect(language).toBe('uz');
  expect(text).toContain('Choy □');
  expect(text).toContain('Hammasi shu sahifada');
  expect(links[0]?.url).toMatch(new RegExp(`^https?://.*/pay/${id}/receipt$`));
});
