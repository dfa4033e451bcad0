import type { Page } from '@playwright/test';
import { CARDS, expect, faultSummary, test } from './shop.ts';

/** Presses Tab until the element has the focus, as a keyboard user does. */
async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  for (let step = 0; step < 40; step++) {
    await page.keyboard.press('Tab');
    const focused = page.locator(':focus');
    if ((await focused.count()) === 0) continue;
    const label = await focused.evaluate((element) => {
      const labels = element instanceof HTMLInputElement ? element.labels?.[0]?.textContent : null;
      return (labels ?? element.getAttribute('aria-label') ?? element.textContent ?? '').trim();
    });
    const found = typeof name === 'string' ? label === name : name.test(label);
    if (found) return;
  }
  throw new Error(`Tab never came to ${name}`);
}

test('the whole payment by keyboard: faults, decline, challenge, receipt', async ({
  page,
  shop,
}) => {
  await page.goto(`/pay/${await shop.order()}`);
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to payment' })).toBeFocused();
  await page.keyboard.press('Enter');
  await tabTo(page, 'Pay $15.00');
  await page.keyboard.press('Enter');
  await expect(faultSummary(page)).toBeFocused();
  await tabTo(page, 'Enter the card number');
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Card number', { exact: true })).toBeFocused();

  const type = async (number: string, name: string) => {
    await page.keyboard.type(number.replaceAll(' ', ''));
    await tabTo(page, 'Expiry date');
    await page.keyboard.type('1234');
    await tabTo(page, 'Security code');
    await page.keyboard.type('123');
    await tabTo(page, 'Name on card');
    if (name) await page.keyboard.type(name);
    // Enter in a field sends the form.
    await page.keyboard.press('Enter');
  };
  await type(CARDS.generic_decline, 'Ann Buyer');
  await expect(page.getByRole('region', { name: 'Card declined' })).toBeFocused();
  await tabTo(page, 'Card number');
  await type(CARDS.challenge, '');
  await page.waitForURL(/challenge/);
  await tabTo(page, 'Approve payment');
  await page.keyboard.press('Space');
  await expect(page.getByRole('heading', { name: 'Payment complete' })).toBeVisible();
  await tabTo(page, 'Stay on this page');
  await page.keyboard.press('Enter');
  await expect(page.getByText('You’ll stay on this page.')).toBeFocused();
  await tabTo(page, 'View confirmation');
  await page.keyboard.press('Enter');
  await page.waitForURL(/receipt$/);
});

test('what has the focus can be seen', async ({ page, shop }) => {
  await page.goto(`/pay/${await shop.order()}`);
  for (let step = 0; step < 10; step++) {
    await page.keyboard.press('Tab');
    const width = await page
      .locator(':focus')
      .evaluate((element) => Number.parseFloat(getComputedStyle(element).outlineWidth));
    expect(width).toBeGreaterThanOrEqual(2);
  }
});
