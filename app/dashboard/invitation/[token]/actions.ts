'use server';

import { redirect } from 'next/navigation';
import { acceptInvitation } from '#server/auth/signed-out.ts';
import { keepAddress } from '../../_server/kept-address.ts';
import { currentVisit, field } from '../../_server/visit.ts';

export type JoinFault = 'gone' | 'weak';

/** Accepts the invitation and leads to the sign-in, or straight in if the person is signed in. */
export async function join(_: unknown, form: FormData): Promise<JoinFault> {
  const outcome = await acceptInvitation(
    field(form, 'token'),
    field(form, 'password') || null,
    await currentVisit(),
  );
  if (outcome === 'entered') redirect('/dashboard');
  if (outcome === 'joined' || outcome === 'known') {
    await keepAddress(field(form, 'email'));
    redirect(`/dashboard/sign-in?done=${outcome}`);
  }
  return outcome;
}
