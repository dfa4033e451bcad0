/** Tells the server with each call whose page it comes from. */
export const SHOWN_MERCHANT_HEADER = 'x-shown-merchant';

/** The id of the merchant that the frame of this page stands for; null outside of a dashboard. */
export function shownMerchantId(): string | null {
  const frame = document.querySelector<HTMLElement>('[data-shown-merchant]');
  return frame?.dataset.shownMerchant ?? null;
}
