import { expect, type Locator, type Page } from '@playwright/test';

/** Opens the palette by the keyboard, once the page's script is there; returns its box. */
export async function openPalette(page: Page): Promise<Locator> {
  const box = page.getByRole('combobox', { name: 'Amount, buyer, order, time or action' });
  await expect(async () => {
    await page.keyboard.press('Control+k');
    await expect(box).toBeFocused({ timeout: 1_000 });
  }).toPass();
  return box;
}
