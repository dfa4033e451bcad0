import { getPool } from '../db/pool.ts';
import { sessionIdOf } from './next-auth.ts';
import { findPendingSession, type PendingSession, passSecondStep } from './second-step.ts';

// What pages do for people who are not signed in, or not yet: every function here is called
// by whoever likes, so each counts, checks a token or looks at a cookie of ours itself.

/** A request as a page knows it. */
export type Visit = { cookies: Record<string, string>; address: string | null };

/** Whose sign-in waits for the second factor's code, or null. */
export async function pendingSignIn(visit: Pick<Visit, 'cookies'>): Promise<PendingSession | null> {
  const sessionId = await sessionIdOf(visit.cookies);
  return sessionId === null ? null : await findPendingSession(getPool(), sessionId, new Date());
}

/** Takes the code that a sign-in waits for; `gone`: it waits no longer. */
export async function giveCode(
  visit: Visit,
  code: string,
): Promise<'passed' | 'refused' | 'throttled' | 'gone'> {
  const pending = await pendingSignIn(visit);
  if (!pending) return 'gone';
  const now = new Date();
  return await passSecondStep(getPool(), pending, { code, address: visit.address, now });
}
