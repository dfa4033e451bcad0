import type { APIRequestContext, Page } from '@playwright/test';

export const SCRIPTS = '**/_next/static/chunks/**';

async function hasText(request: APIRequestContext, url: string, text: string): Promise<boolean> {
  return text === '' || (await (await request.get(url)).text()).includes(text);
}

/**
 * Keeps the scripts of the pages that are loaded from now on away, until what it gives is called.
 *
 * @param options.having only those with this text
 */
export async function holdScripts(
  page: Page,
  { having = '' }: { having?: string } = {},
): Promise<() => void> {
  let isReleased = false;
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = () => {
      isReleased = true;
      resolve();
    };
  });
  await page.unroute(SCRIPTS);
  await page.route(SCRIPTS, async (route) => {
    const url = route.request().url();
    const isScript = new URL(url).pathname.endsWith('.js');
    if (isScript && !isReleased && (await hasText(page.request, url, having))) await released;
    await route.continue();
  });
  return release;
}
