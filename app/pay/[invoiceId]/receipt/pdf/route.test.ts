import { beforeEach, expect, test, vi } from 'vitest';
import { GatewayError } from '#server/lib/errors.ts';

const PAID = {
  kind: 'invoice',
  invoice: { id: 'inv_1', merchantId: 'mer_1', statusChangedAtMs: 0 },
};

const written = vi.hoisted(() => [] as string[]);
const [loadInvoice, receiptFile] = vi.hoisted(() => [vi.fn(), vi.fn()]);
vi.mock('../../loader.ts', () => ({ loadInvoice }));
vi.mock('../../locale.ts', () => ({ buyerLocale: async () => 'uz' }));
vi.mock('../../../_parts/receipt-content.ts', () => ({ receiptOf: () => ({}) }));
vi.mock('../../../_parts/receipt-file.ts', () => ({ receiptFile }));
vi.mock('#server/log.ts', async (original) => {
  const real = await original<typeof import('#server/log.ts')>();
  const logger = real.createLogger('error', { write: (line) => void written.push(line) });
  return { ...real, log: () => logger };
});

beforeEach(() => void written.splice(0));

const { GET } = await import('./route.ts');

const get = () =>
  GET(new Request('https://pay.example'), { params: Promise.resolve({ invoiceId: 'inv_1' }) });

const DEAD = new Error('the thread ended before its answer');
const BUSY = new GatewayError('unavailable', 'Service is busy');

test.each([
  ['the invoice cannot be read', { kind: 'trouble' }, null, 0],
  ['too many are asked for', PAID, BUSY, 0],
  ['its thread dies', PAID, DEAD, 1],
])(
  'where %s, a buyer reads in their language that no receipt can be made now',
  async (_where, loaded, failure, lines) => {
    loadInvoice.mockResolvedValue(loaded);
    receiptFile.mockRejectedValue(failure);
    const answer = await get();
    expect(answer.status).toBe(503);
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(await answer.text()).toContain('boʻlmayapti');
    expect(written.filter((line) => line.includes(DEAD.message))).toHaveLength(lines);
  },
);

test('what is made is a file that nobody keeps', async () => {
  loadInvoice.mockResolvedValue(PAID);
  receiptFile.mockResolvedValue(new Uint8Array([1, 2]));
  const answer = await get();
  expect(answer.status).toBe(200);
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(answer.headers.get('content-disposition')).toContain('receipt-inv_1.pdf');
  expect(new Uint8Array(await answer.arrayBuffer())).toEqual(new Uint8Array([1, 2]));
});
