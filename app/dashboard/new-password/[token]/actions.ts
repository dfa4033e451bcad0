'use server';

import { cookies } from 'next/headers';
import { redirect } from 'next/navigation';
import { browserCookie } from '#server/auth/known-browser.ts';
import { setPassword } from '#server/auth/signed-out.ts';
import { keepAddress } from '../../_server/kept-address.ts';
import { currentVisit, field } from '../../_server/visit.ts';

export type SetFault = 'gone' | 'weak' | 'failed';

/** Sets the password by the link and leads to the sign-in. */
export async function setByLink(_: SetFault | null, form: FormData): Promise<SetFault> {
  const [visit, jar] = await Promise.all([currentVisit(), cookies()]);
  const given = { token: field(form, 'token'), password: field(form, 'password') };
  const outcome = await setPassword(given, visit, (marks) => {
    const { name, options } = browserCookie();
    jar.set(name, marks, options);
  });
  if (outcome === 'changed' || outcome === 'set') await keepAddress(field(form, 'email'));
  if (outcome === 'changed') redirect('/dashboard/sign-in?done=password');
  if (outcome === 'set') redirect('/dashboard/sign-in?done=first');
  return outcome;
}
