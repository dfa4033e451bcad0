import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { beforeEach, expect, test } from 'vitest';
import { metrics } from '../observability/metrics.ts';
import { timePage } from './page-times.ts';

beforeEach(() => metrics().pages.reset());

function answered(path: string, status: number | null): void {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  timePage(path, response);
  if (status !== null) response.writeHead(status);
  response.emit('close');
}

/** The counts so far, as `area status count`. */
async function counted(): Promise<string[]> {
  const { values } = await metrics().pages.get();
  return values
    .filter(({ metricName }) => metricName?.endsWith('_count'))
    .map(({ labels: { area, status }, value }) => `${area} ${status} ${value}`);
}

test('pages are counted by area and status', async () => {
  for (const status of [200, 503, 503]) answered('/pay/inv_1', status);
  answered('/pay/inv_1/receipt', 200);
  expect(await counted()).toEqual(['pay 200 2', 'pay 503 2']);
});

test.each([
  ['/dashboard', 'dashboard'],
  ['/dashboard/sandbox/invoices', 'dashboard'],
  ['/operator/overview', 'operator'],
  ['/docs/limits', 'docs'],
  ['/api/trpc/sandbox/invoices.list', 'trpc'],
  ['/api/auth/callback/credentials', 'auth'],
  ['/api/inngest', 'inngest'],
  ['/', 'other'],
  ['', 'other'],
  ['/trpc/x', 'other'],
  ['/payment', 'other'],
  ['/made/up', 'other'],
])('%s belongs to %s', async (path, area) => {
  answered(path, 200);
  expect(await counted()).toEqual([`${area} 200 1`]);
});

test.each(['/api/health', '/api/openapi.json', '/api/pay/inv_1'])('%s is no page', async (path) => {
  answered(path, 503);
  expect(await counted()).toEqual([]);
});

test('whoever left before there was a status is not counted', async () => {
  answered('/pay/inv_1', null);
  expect(await counted()).toEqual([]);
});
