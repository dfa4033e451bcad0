'use server';

import { redirect } from 'next/navigation';
import { giveCode } from '#server/auth/signed-out.ts';
import { currentVisit, field } from '../_server/visit.ts';
import { safeReturnPath } from '../_shared/account/return-path.ts';

export type CodeFault = 'refused' | 'throttled' | 'spent' | 'gone' | 'failed';

/** The second step of a sign-in: continues when the code is right. */
export async function enterCode(_: CodeFault | null, form: FormData): Promise<CodeFault> {
  const outcome = await giveCode(await currentVisit(), field(form, 'code'));
  if (outcome === 'passed') redirect(safeReturnPath(field(form, 'next')));
  return outcome;
}
