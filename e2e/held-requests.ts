import type { Page } from '@playwright/test';

/** Holds back a page's requests to such addresses until `release`; `asked` counts them. */
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
