import { Toast } from '@base-ui/react/toast';

export type ToastTone = 'positive' | 'negative';

/** A toast's offer: a button that reloads the page, or that button with a link to sign in. */
export type ToastOffer = 'reload' | 'sign_in';

const SHOWN_MS = 6_000;

/** Any script of the dashboard shows a toast through this; a toast's data has its offer. */
export const toastManager = Toast.createToastManager<{ tone: ToastTone }>();

/** The words of the toast that offers the sign-in. */
let signIn = '';

/**
 * Shows a toast: a success, or a failure with its reason. A success stays for some seconds, a
 * failure until it is dismissed.
 */
export function showToast(
  text: string,
  tone: ToastTone = 'positive',
  offers: ToastOffer | null = null,
): void {
  // A successful action means that somebody is signed in.
  if (tone === 'positive') toastManager.close(signIn);
  if (offers === 'sign_in') signIn = text;
  toastManager.add({
    // The caller may show it as well: the same words appear once, and keep their offer.
    id: text,
    ...(offers && { type: offers }),
    description: text,
    timeout: tone === 'negative' ? 0 : SHOWN_MS,
    data: { tone },
  });
}
