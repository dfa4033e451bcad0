export type ToastTone = 'positive' | 'negative';

/** What stands by the words: a button that loads the page again, or a way to sign in beside it. */
export type ToastOffer = 'reload' | 'sign_in';

export type ToastMessage = {
  text: string;
  tone: ToastTone;
  offers: ToastOffer | null;
};

/** The event by which any script of the dashboard asks for a toast. */
export const TOAST_EVENT = 'dashboard:toast';

/**
 * Says something in passing: what was done, or why it was not. The words stay for some
 * seconds, those of a failure until they are put away.
 */
export function showToast(
  text: string,
  tone: ToastTone = 'positive',
  offers: ToastOffer | null = null,
): void {
  const detail: ToastMessage = { text, tone, offers };
  window.dispatchEvent(new CustomEvent<ToastMessage>(TOAST_EVENT, { detail }));
}
