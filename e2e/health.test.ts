import { expect } from '@playwright/test';
import { test } from './fixtures.ts';

test('a gateway whose database is in order is healthy', async ({ request }) => {
  const answer = await request.get('/api/health');
  expect(answer.status()).toBe(200);
  expect(answer.headers()['content-type']).toContain('application/json');
});

test('hidden files are found by nobody, also where a served folder has them', async ({
  request,
}) => {
  for (const path of ['/operating/.env', '/operating/%2Eenv', '/.git/config']) {
    const answer = await request.get(path);
    expect([answer.status(), await answer.text()], path).toEqual([404, 'Not found']);
  }
});

test('the browser reaches the gateway', async ({ page }) => {
  const answer = await page.goto('/api/health');
  expect(answer?.status()).toBe(200);
});
