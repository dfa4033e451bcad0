import type { Page } from '@playwright/test';

export const SCRIPTS = '**/_next/static/chunks/**';

/** Holds back the scripts of later pages until the returned function is called. */
export async function holdScripts(page: Page): Promise<() => void> {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.unroute(SCRIPTS);
  await page.route(SCRIPTS, async (route) => {
    if (new URL(route.request().url()).pathname.endsWith('.js')) await released;
    await route.continue();
  });
  return release;
}
