import { Toast } from '@base-ui/react/toast';

export type ToastTone = 'positive' | 'negative';

/** What stands by the words: a button that loads the page again, or a way to sign in beside it. */
export type ToastOffer = 'reload' | 'sign_in';

const SHOWN_MS = 6_000;

/** By which any script of the dashboard asks for a toast; the type of each is what it offers. */
export const toastManager = Toast.createToastManager<{ tone: ToastTone }>();

/** The words that the way to sign in stands by. */
let signIn = '';

/**
 * Says something in passing: what was done, or why it was not. The words stay for some
 * seconds, those of a failure until they are put away.
 */
export function showToast(
  text: string,
  tone: ToastTone = 'positive',
  offers: ToastOffer | null = null,
): void {
  // What has been done was done by somebody who is signed in.
  if (tone === 'positive') toastManager.close(signIn);
  if (offers === 'sign_in') signIn = text;
  toastManager.add({
    // Who asked may say it as well: the words stand there once, and keep the way on.
    id: text,
    ...(offers && { type: offers }),
    description: text,
    timeout: tone === 'negative' ? 0 : SHOWN_MS,
    data: { tone },
  });
}
