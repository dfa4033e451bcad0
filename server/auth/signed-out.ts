import type pg from 'pg';
import { getPool } from '../db/pool.ts';
import { GatewayError } from '../lib/errors.ts';
import type { Locale } from '../lib/locales.ts';
import { passwordEmail } from '../mail/email-templates.ts';
import { type SendingLater, sendEmailLater } from '../mail/send.ts';
import { tellRefusal } from '../observability/refusals.ts';
import { settings } from '../settings/settings.ts';
import { findInvitation, type OpenInvitation } from '../staff/invitations.ts';
import { joinByLink } from './invite.ts';
import { browserCookie, markBrowser } from './known-browser.ts';
import { sessionIdOf } from './next-auth.ts';
import { tellOfChange } from './notice.ts';
import { findReset, requestReset, resetPassword } from './password-reset.ts';
import {
  findPendingSession,
  type PendingSession,
  passSecondStep,
} from './second-factor/second-step.ts';
import { findSession, hasEndedUnused } from './sessions.ts';

// Actions of pages for people who are not signed in, or not yet. Anybody can call these functions,
// so each of them counts, checks a token or checks our own cookie.

/** A request, as far as a page knows it. */
export type Visit = { cookies: Record<string, string>; address: string; requestId: string };

/** E-mailed links cannot be guessed, but attempts should be visible. */
function tellOfLink({ address, requestId }: Visit): void {
  tellRefusal({ what: 'link', outcome: 'refused', address, requestId });
}

/** The sign-in that waits for a second factor's code, or null. */
export async function pendingSignIn(visit: Pick<Visit, 'cookies'>): Promise<PendingSession | null> {
  const sessionId = await sessionIdOf(visit.cookies);
  if (sessionId === null) return null;
  return await findPendingSession(getPool(), sessionId, new Date());
}

/** Why the session in the browser's cookie has ended; null for a valid session or none. */
export async function endOfSession({
  cookies,
}: Pick<Visit, 'cookies'>): Promise<'unused' | 'ended' | null> {
  const sessionId = await sessionIdOf(cookies);
  if (sessionId === null) return null;
  const now = new Date();
  if (await findSession(getPool(), sessionId, now)) return null;
  return (await hasEndedUnused(getPool(), sessionId, now)) ? 'unused' : 'ended';
}

/** Takes the code that a sign-in waits for; `gone`: the sign-in waits no longer. */
export async function giveCode(
  visit: Visit,
  code: string,
): Promise<'passed' | 'refused' | 'throttled' | 'spent' | 'gone'> {
  const pending = await pendingSignIn(visit);
  if (!pending) return 'gone';
  const now = new Date();
  const { address, requestId } = visit;
  return await passSecondStep(getPool(), pending, { code, address, requestId, now });
}

/** Sends a link for a new password, if there is such an account; the answer hides whether. */
export async function askForPassword(
  email: string,
  { addressKey, locale }: { addressKey: string; locale: Locale },
): Promise<'accepted' | 'throttled'> {
  const now = new Date();
  return await askForReset(getPool(), { email, addressKey, locale, now });
}

/** The owner of a link for a password, and whether it is their first; null if it has ended. */
export async function passwordLinkOwner(
  token: string,
  visit: Visit,
): Promise<{ email: string; isFirst: boolean } | null> {
  const found = await findReset(getPool(), token, new Date());
  if (!found) tellOfLink(visit);
  return found;
}

/** An unacceptable password is `weak`; the link still works then. */
async function weakOr<T>(work: Promise<T>): Promise<T | 'weak'> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof GatewayError && error.kind === 'validation') return 'weak';
    throw error;
  }
}

/**
 * Sets a password by a link and ends all sessions.
 *
 * @param known receives the browser's mark: its person must get in with the new password whatever
 *   strangers try meanwhile
 * @returns `set`: the account had none before
 */
export async function setPassword(
  { token, password }: { token: string; password: string },
  visit: Visit,
  known: (browserMarks: string) => void,
): Promise<'changed' | 'set' | 'gone' | 'weak'> {
  const { cookies, address } = visit;
  const now = new Date();
  const account = await weakOr(resetPassword(getPool(), { token, password, address, now }));
  if (account === 'gone') tellOfLink(visit);
  if (typeof account === 'string') return account;
  const { email, isFirst } = account;
  tellOfChange({ email, address, now }, isFirst ? 'firstPassword' : 'password');
  known(markBrowser(account, cookies[browserCookie().name] ?? null));
  return isFirst ? 'set' : 'changed';
}

/** The open invitation behind an e-mail's link, or null. */
export async function openInvitation(token: string, visit: Visit): Promise<OpenInvitation | null> {
  const found = await findInvitation(getPool(), token, new Date());
  if (!found) tellOfLink(visit);
  return found;
}

/**
 * Accepts an invitation by the e-mail's link.
 *
 * @param password for the new account; null for an existing one
 * @returns `entered`: the browser's session shows that merchant now; `joined`: a sign-in is due;
 *   `known`: a sign-in with the old password is due, because the account existed
 */
export async function acceptInvitation(
  token: string,
  password: string | null,
  visit: Visit,
): Promise<'entered' | 'joined' | 'known' | 'gone' | 'weak'> {
  const { cookies, address } = visit;
  const now = new Date();
  const sessionId = await sessionIdOf(cookies);
  const by = { token, password, sessionId, address, now };
  const outcome = await weakOr(joinByLink(getPool(), by));
  if (outcome === 'gone') tellOfLink(visit);
  return outcome;
}

/**
 * Sends an e-mail with a link for a new password, if there is such an account. Neither the answer
 * nor its time reveals the account. The e-mail's result does not change later answers either:
 * giving back a try would reveal it.
 *
 * @param sending the route, and how often it is tried
 */
export async function askForReset(
  pool: pg.Pool,
  wish: { email: string; addressKey: string; locale: Locale; now: Date },
  sending: SendingLater = {},
): Promise<'accepted' | 'throttled'> {
  const result = await requestReset(pool, wish);
  if (result.outcome === 'throttled') return 'throttled';
  if (result.link) {
    const { token, expiresAt, email } = result.link;
    const url = `${settings().publicUrl}/dashboard/new-password/${token}`;
    sendEmailLater(email, passwordEmail(wish.locale, { url, expiresAt }), sending);
  }
  return 'accepted';
}
