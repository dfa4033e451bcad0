import type { Page } from '@playwright/test';
import { messagesAt } from '#server/i18n/translator.ts';
import { gatewayUnderTest } from '../gateway.ts';
import { expect } from './shop.ts';

/** The journeys to acquirers are made in Uzbek. */
export const uz = messagesAt('uz', 'pay');

export const NAMES = {
  payme: 'Payme',
  click: 'Click',
  multicard: 'Multicard',
  stripe: 'Stripe',
  yookassa: 'YooKassa',
};
export type Provider = keyof typeof NAMES;

/** Words of ours about an acquirer. */
export const said = (text: string, provider: Provider) =>
  text.replaceAll('{method}', NAMES[provider]);

export const payButton = (page: Page, provider: Provider) =>
  page.getByRole('button', { name: `${NAMES[provider]} ${uz.methods.kinds[provider]}` });

/** Goes from the invoice's page to an acquirer's. */
export async function choose(page: Page, provider: Provider): Promise<void> {
  await payButton(page, provider).click();
  await expect(page.getByRole('heading', { name: `${NAMES[provider]}: a stand-in` })).toBeVisible();
}

/** What a buyer does at an acquirer's page. */
export const press = (page: Page, name: 'Pay' | 'Decline' | 'Leave') =>
  page.getByRole('button', { name, exact: true }).click();

export async function expectPaid(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { name: uz.paid.title })).toBeVisible();
}

/** Where an acquirer sends its news of an account. */
export const hookUrlOf = (provider: Provider, accountId: string) =>
  `${gatewayUnderTest().origin}/api/acquirers/${provider}/${accountId}`;
