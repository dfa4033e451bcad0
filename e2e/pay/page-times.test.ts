import { expect } from '@playwright/test';
import { test } from '../fixtures.ts';

test('Prometheus learns how the payment page answers', async ({ request }) => {
  const counted = async () => {
    const text = await (await request.get('/api/metrics')).text();
    const [, count = '0'] =
      /^gateway_page_duration_seconds_count\{area="pay",status="404"\} (\d+)$/m.exec(text) ?? [];
    return Number(count);
  };
  const before = await counted();
  expect((await request.get('/pay/inv_none?lang=en')).status()).toBe(404);
  // Concurrent journeys open such pages too.
  await expect.poll(counted).toBeGreaterThan(before);
});
