'use server';

import { redirect } from 'next/navigation';
import { setPassword } from '#server/auth/front-door.ts';
import { comesFromOurPage, currentVisit, field } from '../../_server/visit.ts';

export type SetFault = 'gone' | 'weak' | 'failed';

/** Sets the password by the letter's link and leads to the sign-in. */
export async function setByLink(_: SetFault | null, form: FormData): Promise<SetFault> {
  if (!(await comesFromOurPage())) return 'failed';
  const { address } = await currentVisit();
  const outcome = await setPassword(field(form, 'token'), field(form, 'password'), address);
  if (outcome === 'changed') redirect('/dashboard/sign-in?done=password');
  return outcome;
}
