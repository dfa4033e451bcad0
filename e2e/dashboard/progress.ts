import { expect, type Page } from '@playwright/test';
import { holdRequests } from '../held-requests.ts';

/**
 * Goes to a slow screen, or makes another slow request at such an address: a line at the top says
 * so, also aloud, until the end.
 */
export async function expectProgress(
  page: Page,
  go: () => Promise<void>,
  asked = '**/*_rsc=*',
): Promise<void> {
  const { release } = await holdRequests(page, asked);
  await go();
  const line = page.locator('.page-progress');
  await expect.poll(async () => (await line.boundingBox())?.width ?? 0).toBeGreaterThan(9);
  const { y = -1, width = 0 } = (await line.boundingBox()) ?? {};
  expect(y).toBe(0);
  expect(width).toBeLessThan(page.viewportSize()?.width ?? 0);
  const said = page.getByRole('status').filter({ hasText: 'Loading…' });
  await expect(said).toHaveCount(1);
  release();
  await expect(line).toHaveCount(0);
  await expect(said).toHaveCount(0);
}
