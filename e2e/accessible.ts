import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** These rules depend on the theme; all others need only one check. */
const RULES_OF_COLOURS = ['color-contrast', 'link-in-text-block'];

// A transition of a hidden element never ends.
const REST_LIMIT_MS = 1_000;

/** Colours change gradually between themes, and a busy browser takes its time. */
async function afterTransitions(page: Page): Promise<void> {
  await page.evaluate(async (limitMs) => {
    const all = document.getAnimations().filter((each) => each instanceof CSSTransition);
    const late = new Promise((resolve) => setTimeout(resolve, limitMs));
    await Promise.race([Promise.allSettled(all.map(({ finished }) => finished)), late]);
  }, REST_LIMIT_MS);
}

/** Axe finds no faults on the page in its present state. */
export async function expectNoFaults(
  page: Page,
  { coloursOnly = false, what = page.url() } = {},
): Promise<void> {
  await afterTransitions(page);
  // No page has frames; without this mode axe opens another page each time to join them.
  const axe = new AxeBuilder({ page }).setLegacyMode(true);
  // Passed rules are not reported element by element, which saves a quarter of the time.
  axe.options({ resultTypes: ['violations'] });
  const { violations } = await (coloursOnly ? axe.withRules(RULES_OF_COLOURS) : axe).analyze();
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join()}`);
  expect(found, what).toEqual([]);
}

/** Checks all of axe's rules in the light theme; the dark one only differs in colours. */
export async function expectAccessible(page: Page, what = page.url()): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light' });
  await expectNoFaults(page, { what: `${what}, light` });
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectNoFaults(page, { coloursOnly: true, what: `${what}, dark` });
}
