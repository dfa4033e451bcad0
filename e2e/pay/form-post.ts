import type { Page } from '@playwright/test';
import { CARDS } from './shop.ts';

/** The hidden fields of a form, which a browser without script posts beside the buyer's entries. */
export async function hiddenFields(page: Page): Promise<Record<string, string>> {
  const fields = await page
    .locator('form input[type="hidden"]')
    .evaluateAll((inputs) =>
      inputs.map((each) => [(each as HTMLInputElement).name, (each as HTMLInputElement).value]),
    );
  return Object.fromEntries(fields);
}

/** The buyer's entries by field name. */
export const CARD_FIELDS = {
  cardNumber: CARDS.approved,
  expiryDate: '12/34',
  securityCode: '123',
  nameOnCard: 'Ann Buyer',
};

/** Makes the page call an action that the server does not know: that of another build. */
export async function outdate(page: Page): Promise<void> {
  await page.route('**/pay/**', async (route) => {
    const { 'next-action': action, ...headers } = route.request().headers();
    if (!action) return route.continue();
    await route.continue({ headers: { ...headers, 'next-action': `00${'0'.repeat(40)}` } });
  });
}
