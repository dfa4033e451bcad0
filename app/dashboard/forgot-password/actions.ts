'use server';

import { askForPassword } from '#server/auth/front-door.ts';
import { addressKey } from '#server/rest/address-key.ts';
import { dashboardMessages } from '../_i18n/messages.ts';
import { comesFromOurPage, currentVisit, field } from '../_server/visit.ts';

export type AskOutcome = 'accepted' | 'throttled' | 'failed';

/** Asks for a letter with a link; the answer is the same for every address. */
export async function askForLetter(_: AskOutcome | null, form: FormData): Promise<AskOutcome> {
  if (!(await comesFromOurPage())) return 'failed';
  const [{ locale }, { address }] = await Promise.all([dashboardMessages(), currentVisit()]);
  return await askForPassword(field(form, 'email'), { addressKey: addressKey(address), locale });
}
