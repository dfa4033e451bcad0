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

// What pages do for people who are not signed in, or not yet: every function here is called
// by whoever likes, so each counts, checks a token or looks at a cookie of ours itself.

/** A request as a page knows it. */
export type Visit = { cookies: Record<string, string>; address: string; requestId: string };

/** Links of e-mails are not guessed; who tries to is to be seen. */
function tellOfLink({ address, requestId }: Visit): void {
  tellRefusal({ what: 'link', outcome: 'refused', address, requestId });
}

/** Whose sign-in waits for the second factor's code, or null. */
export async function pendingSignIn(visit: Pick<Visit, 'cookies'>): Promise<PendingSession | null> {
  const sessionId = await sessionIdOf(visit.cookies);
  if (sessionId === null) return null;
  return await findPendingSession(getPool(), sessionId, new Date());
}

/** How the session that the browser's cookie names came to run no more; null where it runs, or there is none. */
export async function endOfSession({
  cookies,
}: Pick<Visit, 'cookies'>): Promise<'unused' | 'ended' | null> {
  const sessionId = await sessionIdOf(cookies);
  if (sessionId === null) return null;
  const now = new Date();
  if (await findSession(getPool(), sessionId, now)) return null;
  return (await hasEndedUnused(getPool(), sessionId, now)) ? 'unused' : 'ended';
}

/** Takes the code that a sign-in waits for; `gone`: it waits no longer. */
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

/** Sends an e-mail with a link for a new password, if there is such an account; nobody learns which. */
export async function askForPassword(
  email: string,
  { addressKey, locale }: { addressKey: string; locale: Locale },
): Promise<'accepted' | 'throttled'> {
  const now = new Date();
  return await askForReset(getPool(), { email, addressKey, locale, now });
}

/** Whose password a link sets, and whether it is their first; null when it works no more. */
export async function passwordLinkOwner(
  token: string,
  visit: Visit,
): Promise<{ email: string; isFirst: boolean } | null> {
  const found = await findReset(getPool(), token, new Date());
  if (!found) tellOfLink(visit);
  return found;
}

/** A chosen password that will not do is `weak`; the link still works then. */
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
 * @param known hears what the browser may keep: it is its person's, who must get in with the new
 *   password whatever strangers try meanwhile
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
 * @param password of the new account; null for who has one
 * @returns `entered`: the browser's session shows that merchant now; `joined`: a sign-in is due;
 *   `known`: one with the password from before, for there was an account
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
 * Sends an e-mail with a link for a new password, if there is such an account: the answer and
 * its time say nothing of that. Nor does what came of the e-mail change a later answer: a try that
 * is given back would show that there was one.
 *
 * @param sending where it goes, and how often it is tried
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
