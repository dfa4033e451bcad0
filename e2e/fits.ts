import { expect, type Page } from '@playwright/test';
import { docsAddress } from '#app/docs/_content/docs-language.ts';
import { docsGroups } from '#app/docs/_content/pages.ts';
import { createBody } from '#server/testing/rest.ts';
import { newShop, postTo } from './dashboard/new-shop.ts';
import { signInAt } from './dashboard/person.ts';
import type { GatewayUnderTest } from './gateway.ts';
import { openAsOperator } from './operator/as-operator.ts';

/** Finds elements outside the screen, except within scrolling parts, and cut-off cards. */
function whatSticksOut(): string[] {
  const { documentElement: root } = document;
  const cut = [...document.querySelectorAll('.card')].filter(
    (card) => getComputedStyle(card).overflowX === 'hidden' && card.scrollWidth > card.clientWidth,
  );
  if (cut.length > 0) return cut.map((card) => `cut off: ${card.outerHTML.slice(0, 120)}`);
  if (root.scrollWidth <= root.clientWidth) return [];
  const sticksOut = (each: Element) =>
    each.getBoundingClientRect().right > root.clientWidth + 0.5 &&
    getComputedStyle(each).overflowX === 'visible';
  const parts: string[] = [];
  const look = (each: Element) => {
    if (getComputedStyle(each).overflowX !== 'visible') return;
    if (sticksOut(each) && ![...each.children].some(sticksOut)) {
      parts.push(each.outerHTML.slice(0, 120));
    }
    for (const child of each.children) look(child);
  };
  look(document.body);
  return [`${root.scrollWidth} px`, ...parts];
}

/** A way to look at pages: `enlarge` runs on each page after it has loaded. */
export type Look = { widths: readonly number[]; enlarge?: (page: Page) => Promise<unknown> };

/** WCAG 2.2, 1.4.4 and 1.4.10: no page scrolls sideways. */
export async function expectFits(
  page: Page,
  addresses: readonly string[],
  { widths, enlarge }: Look,
): Promise<void> {
  const faults: string[] = [];
  for (const address of addresses) {
    await page.goto(address);
    // The loading page's heading is only read aloud.
    await page.locator('h1:not(.sr-only)').first().waitFor();
    await enlarge?.(page);
    for (const width of widths) {
      await page.setViewportSize({ width, height: 844 });
      const [widest, ...parts] = await page.evaluate(whatSticksOut);
      if (widest) faults.push(`${address} at ${width} px: ${widest} ${parts.join('\n  ')}`);
    }
  }
  expect(faults.join('\n')).toBe('');
}

/** A shop with a signed-in owner, and its invoice whose callback nobody accepts. */
async function openShop(page: Page, gateway: GatewayUnderTest) {
  const shop = await newShop(gateway, 'Shop of large letters');
  const post = (path: string, body: object) => postTo(gateway, shop, path, body);
  const pendingId = await post('/invoice/create', createBody({ amount: 2 ** 53 - 1 }));
  const callback_url = `http://127.0.0.1:9/${'callback'.repeat(30)}`;
  const invoice_id = await post('/invoice/create', createBody({ callback_url }));
  await post('/invoice/cancel', { invoice_id });
  await signInAt(page, shop.owner, '/dashboard/sandbox');
  return { invoiceId: invoice_id, pendingId };
}

/** The front page, the documentation, and the page for an unknown address. */
export async function expectDocsFit(page: Page, look: Look): Promise<void> {
  // Russian words are longer; of its pages those in English look the same.
  const pages = docsGroups('ru').flatMap((group) => group.pages);
  const ofText = pages.map(({ slug, language }) => docsAddress(`/docs/${slug}`, language));
  await expectFits(page, ['/', '/docs', '/docs/ru', ...ofText, '/docs/api', '/nothing'], look);
}

/** Checks the dashboard in Russian, whose words are longer. */
export async function expectDashboardFits(
  page: Page,
  gateway: GatewayUnderTest,
  look: Look,
): Promise<void> {
  const { invoiceId, pendingId } = await openShop(page, gateway);
  await page.goto('/dashboard/sandbox?lang=ru');
  const screens = [
    '',
    '/invoices',
    '/invoices?status=PAID&currency=UZS&from=2026-01-01&to=2026-12-31',
    '/invoices/new',
    `/invoices/${invoiceId}`,
    `/invoices/${pendingId}/link`,
    '/callbacks',
    `/callbacks/${invoiceId}`,
    '/callbacks/test',
    '/developers',
    '/developers/requests',
    '/team',
    '/audit-log',
    '/audit-log?from=2026-01-01',
    '/payment-methods',
    '/payment-methods/connect',
    '/payment-methods/connect?provider=multicard',
    '/settings',
    '/account',
  ];
  await expectFits(
    page,
    screens.map((screen) => `/dashboard/sandbox${screen}`),
    look,
  );
  await page.context().clearCookies({ name: /session/ });
  await expectFits(page, ['/dashboard/sign-in', '/dashboard/forgot-password'], look);
}

export async function expectOperatorFits(
  page: Page,
  gateway: GatewayUnderTest,
  look: Look,
): Promise<void> {
  await openAsOperator(page, gateway, '/operator/overview');
  await page.goto('/operator/overview?lang=ru');
  const { merchantId } = gateway.merchant;
  const screens = ['overview', 'merchants', `merchants/${merchantId}`, 'merchants/new', 'account'];
  await expectFits(
    page,
    screens.map((screen) => `/operator/${screen}`),
    look,
  );
}

/** The buyers' pages of a shop whose name is one long word, with the largest amount. */
export async function expectPaymentFits(
  page: Page,
  gateway: GatewayUnderTest,
  look: Look,
): Promise<void> {
  const shop = await newShop(gateway, 'НижегородскоеАвтоспецоборудование'.repeat(2));
  const post = (path: string, body: object) => postTo(gateway, shop, path, body);
  const large = { amount: 2 ** 53 - 1, currency: 'UZS' };
  const position = { title: 'A thing', amount: 1, currency: 'UZS' };
  const open = await post('/invoice/create', createBody({ ...large, positions: [position] }));
  const canceled = await post('/invoice/create', createBody());
  await post('/invoice/cancel', { invoice_id: canceled });
  const paid = await post('/invoice/create', createBody({ ...large, positions: [position] }));
  await post('/test/invoice/pay', { invoice_id: paid, outcome: 'approved' });
  const pages = [open, canceled, paid, `${paid}/receipt`].map((each) => `/pay/${each}?lang=ru`);
  await expectFits(page, pages, look);
}
