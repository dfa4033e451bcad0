/** Tells the server the page's merchant with each call. */
export const SHOWN_MERCHANT_HEADER = 'x-shown-merchant';

/** The merchant id of this page's frame; null outside a dashboard. */
export function shownMerchantId(): string | null {
  const frame = document.querySelector<HTMLElement>('[data-shown-merchant]');
  return frame?.dataset.shownMerchant ?? null;
}
