import { expect, type Page } from '@playwright/test';
import {
  expectDashboardFits,
  expectDocsFit,
  expectOperatorFits,
  expectPaymentFits,
} from './fits.ts';
import { test } from './fixtures.ts';

// Each journey goes through many pages.
test.slow();

/** The style of a page or of a browser's extension. */
const LOOK = {
  widths: [320, 360, 390, 1280],
  enlarge: (page: Page) =>
    page.evaluate(() => {
      document.documentElement.style.fontSize = '200%';
    }),
};

test('the documentation fits with text of 200 %', ({ page }) => expectDocsFit(page, LOOK));

test('the documentation can be read with text of 200 %: no column of a few letters', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1280, height: 844 });
  for (const [address, name] of [
    ['/docs/quick-start', 'Receive the callback'],
    ['/docs/api', 'Cancel an unpaid invoice'],
  ] as const) {
    await page.goto(address);
    const heading = page.getByRole('heading', { name });
    const beside = page.getByRole('navigation', { name: 'On this page', exact: true });
    await expect(beside).toHaveCount(address === '/docs/api' ? 0 : 1);
    await page.evaluate(() => {
      document.documentElement.style.fontSize = '200%';
    });
    expect((await heading.boundingBox())?.width).toBeGreaterThan(400);
    await expect(beside).toBeHidden();
  }
});

test('the dashboard fits with text of 200 %', ({ page, gateway }) =>
  expectDashboardFits(page, gateway, LOOK));

test('the operator’s pages fit with text of 200 %', ({ page, gateway }) =>
  expectOperatorFits(page, gateway, LOOK));

test('a payment page fits on a small phone, whatever the shop’s name is', ({ page, gateway }) =>
  expectPaymentFits(page, gateway, { widths: [320] }));
