import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** What a theme can change once everything else has been looked at. */
const RULES_OF_COLOURS = ['color-contrast', 'link-in-text-block'];

// A transition of what is not drawn any more never ends.
const REST_LIMIT_MS = 1_000;

/** Colours move from theme to theme, and a busy browser takes its time for that. */
async function afterTransitions(page: Page): Promise<void> {
  await page.evaluate(async (limitMs) => {
    const all = document.getAnimations().filter((each) => each instanceof CSSTransition);
    const late = new Promise((resolve) => setTimeout(resolve, limitMs));
    await Promise.race([Promise.allSettled(all.map(({ finished }) => finished)), late]);
  }, REST_LIMIT_MS);
}

/** Axe finds nothing on the page as it is now. */
export async function expectNoFaults(
  page: Page,
  { coloursOnly = false, what = page.url() } = {},
): Promise<void> {
  await afterTransitions(page);
  // No page has frames; without this mode axe opens a page of its own each time to join them.
  const axe = new AxeBuilder({ page }).setLegacyMode(true);
  // What passes is not told of, element by element: a quarter of its time.
  axe.options({ resultTypes: ['violations'] });
  const { violations } = await (coloursOnly ? axe.withRules(RULES_OF_COLOURS) : axe).analyze();
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join()}`);
  expect(found, what).toEqual([]);
}

/** Everything that axe knows in the light; the dark has the same elements in other colours. */
export async function expectAccessible(page: Page, what = page.url()): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light' });
  await expectNoFaults(page, { what: `${what}, light` });
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectNoFaults(page, { coloursOnly: true, what: `${what}, dark` });
}
