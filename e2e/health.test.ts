import { expect } from '@playwright/test';
import { test } from './fixtures.ts';

test('a gateway whose database is in order is healthy', async ({ request }) => {
  const answer = await request.get('/api/health');
  expect(answer.status()).toBe(200);
  expect(answer.headers()['content-type']).toContain('application/json');
});

test('neither hidden files nor what the gateway is run by are found by anybody', async ({
  request,
}) => {
  const hidden = ['/operating/.env', '/operating/%2Eenv', '/operating%2f.env', '/.git/config'];
  const ofOperators = ['/operating/compose.yaml', '/%6Fperating/example.env', '/Operating/x'];
  for (const path of [...hidden, ...ofOperators]) {
    const answer = await request.get(path);
    expect([answer.status(), await answer.text()], path).toEqual([404, 'Not found']);
  }
});

test('the browser reaches the gateway', async ({ page }) => {
  const answer = await page.goto('/api/health');
  expect(answer?.status()).toBe(200);
});
