import type { Page } from '@playwright/test';

/** Holds what a page asks at such addresses until `release`; `asked` counts what has come. */
export async function holdRequests(page: Page, url: string) {
  let open = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    open = resolve;
  });
  let count = 0;
  await page.route(url, async (route) => {
    count += 1;
    await released;
    await route.continue();
  });
  return { release: () => open(), asked: () => count };
}
