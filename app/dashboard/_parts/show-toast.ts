export type ToastTone = 'positive' | 'negative';

export type ToastMessage = {
  text: string;
  tone: ToastTone;
  /** Whether a button stands by it that loads the page again. */
  offersReload: boolean;
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
  { offersReload = false }: { offersReload?: boolean } = {},
): void {
  const detail: ToastMessage = { text, tone, offersReload };
  window.dispatchEvent(new CustomEvent<ToastMessage>(TOAST_EVENT, { detail }));
}
