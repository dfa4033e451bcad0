import { expect } from '@playwright/test';
import { test } from './fixtures.ts';

test('a gateway whose database is in order is healthy', async ({ request }) => {
  const answer = await request.get('/api/health');
  expect(answer.status()).toBe(200);
  expect(answer.headers()['content-type']).toContain('application/json');
});

test('the browser reaches the gateway', async ({ page }) => {
  const answer = await page.goto('/api/health');
  expect(answer?.status()).toBe(200);
});
