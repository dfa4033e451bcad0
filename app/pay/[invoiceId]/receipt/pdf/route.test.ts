import { expect, test, vi } from 'vitest';

vi.mock('../../loader.ts', () => ({ loadInvoice: async () => ({ kind: 'trouble' }) }));
vi.mock('../../locale.ts', () => ({ buyerLocale: async () => 'uz' }));

const { GET } = await import('./route.ts');

test('where no receipt can be made now, a buyer reads so, in their language', async () => {
  const params = Promise.resolve({ invoiceId: 'inv_1' });
  const answer = await GET(new Request('https://pay.example'), { params });
  expect(answer.status).toBe(503);
  expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  expect(await answer.text()).toContain('boʻlmayapti');
});
