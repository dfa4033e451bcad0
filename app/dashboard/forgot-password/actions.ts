'use server';

import { surfaceLocale } from '#app/_i18n/request-locale.ts';
import { askForPassword } from '#server/auth/signed-out.ts';
import { addressKey } from '#server/lib/address-key.ts';
import { currentVisit, field } from '../_server/visit.ts';

export type Asked = {
  outcome: 'accepted' | 'throttled' | 'failed';
  /** The address as typed, for the page that is rendered anew without script. */
  email: string;
};

/** Sends an e-mail with a link; the answer is the same for every address. */
export async function askForEmail(_: Asked | null, form: FormData): Promise<Asked> {
  const locale = await surfaceLocale('dashboard');
  const email = field(form, 'email');
  const { address } = await currentVisit();
  const outcome = await askForPassword(email, { addressKey: addressKey(address), locale });
  return { outcome, email };
}
