import type pg from 'pg';
import { inTransaction } from '../db/pool.ts';
import { GatewayError } from '../lib/errors.ts';
import { DEFAULT_LOCALE, isLocale, type Locale } from '../lib/locales.ts';
import { hashToken } from '../lib/opaque-token.ts';
import { withTimeout } from '../lib/timeout.ts';
import { invitationEmail } from '../mail/email-templates.ts';
import { type MailRoute, mailRoute, sendEmail } from '../mail/send.ts';
import type { Role, Tenant } from '../merchants/types.ts';
import { log } from '../observability/log.ts';
import { settings } from '../settings/settings.ts';
import {
  acceptInvitations,
  createInvitation,
  endLinkBefore,
  findInvitation,
  type InvitationLink,
  renewInvitation,
} from '../staff/invitations.ts';
import { hashPassword } from '../staff/password-hash.ts';
import type { TeamActor } from '../staff/team.ts';
import { tellOfChange } from './notice.ts';
import { checkNewPassword } from './passwords.ts';
import { findSession, switchMerchant } from './sessions.ts';
import { countTry, type Limit } from './throttle.ts';

// The limit of e-mails that one merchant can make us send to anybody.
const EMAIL_LIMIT: Limit = { max: 60, windowMs: 24 * 60 * 60 * 1000 };

type Inviting = {
  tenant: Tenant;
  merchantName: string;
  actor: TeamActor;
  now: Date;
  route?: MailRoute;
};

async function countEmail(pool: pg.Pool, { tenant, now }: Inviting): Promise<void> {
  if (await countTry(pool, `invitations ${tenant.merchantId}`, EMAIL_LIMIT, now)) return;
  throw new GatewayError('too_many_invitations');
}

/** The sender of an invitation waits for it; a slower e-mail may still be sent. */
const EMAIL_LIMIT_MS = 10_000;

/** After the commit. `false` when no e-mail was sent: the invitation can be sent again. */
async function sendInvitation(
  { merchantName, actor, route }: Inviting,
  { email, role, locale, token, expiresAt }: InvitationLink,
): Promise<boolean> {
  const message = invitationEmail(isLocale(locale) ? locale : DEFAULT_LOCALE, {
    merchantName,
    invitedBy: actor.label,
    role,
    url: `${settings().publicUrl}/dashboard/invitation/${token}`,
    expiresAt,
  });
  const sending = sendEmail(email, message, route ?? mailRoute());
  return await withTimeout(EMAIL_LIMIT_MS, sending).then(
    () => true,
    () => false,
  );
}

/**
 * Invites somebody to the staff by e-mail.
 *
 * @returns whether the e-mail was sent
 * @throws GatewayError as `createInvitation`; `rate_limited` after too many in a day
 */
export async function invite(
  pool: pg.Pool,
  inviting: Inviting,
  wish: { email: string; role: Role; locale: Locale },
): Promise<{ isSent: boolean }> {
  await countEmail(pool, inviting);
  const { tenant, actor, now } = inviting;
  const link = await createInvitation(pool, tenant, { ...wish, actor, now });
  return { isSent: await sendInvitation(inviting, link) };
}

/** Sends another e-mail for an open invitation; once sent, it ends the old link. As `invite`. */
export async function inviteAgain(
  pool: pg.Pool,
  inviting: Inviting,
  invitationId: string,
): Promise<{ isSent: boolean }> {
  await countEmail(pool, inviting);
  const { tenant, actor, now } = inviting;
  const link = await renewInvitation(pool, tenant, { invitationId, actor, now });
  const isSent = await sendInvitation(inviting, link);
  if (isSent) {
    // The e-mail is sent all the same, and both links work.
    await endLinkBefore(pool, link).catch((error: unknown) =>
      log().error({ err: error }, 'the link of an earlier invitation could not be ended'),
    );
  }
  return { isSent };
}

type Joining = {
  token: string;
  /** For an account that is not in use yet. */
  password: string | null;
  /** The session that the browser has, perhaps somebody else's. */
  sessionId: string | null;
  address: string | null;
  now: Date;
};

/**
 * Accepts an invitation by the e-mail's link. The link proves the address and gives nothing but the
 * membership: a person with an account still has to sign in, unless `sessionId` is their own
 * session, which then shows the merchant that they joined. An account that was made for its person
 * and is unused gets its first password this way, as by the link sent for that.
 *
 * @returns `entered`: the session shows that merchant now; `known`: joined with an account that
 *   was made or opened meanwhile, and stays as it is
 * @throws GatewayError `validation` for an unacceptable password; the link still works
 */
export async function joinByLink(
  pool: pg.Pool,
  by: Joining,
): Promise<'entered' | 'joined' | 'known' | 'gone'> {
  const { token, password, address, now } = by;
  const found = await findInvitation(pool, token, now);
  if (!found) return 'gone';
  let passwordHash: string | null = null;
  if (!found.hasAccount) {
    checkNewPassword(password ?? '', found.email);
    passwordHash = await hashPassword(password ?? '');
  }
  const tokenHash = hashToken(token);
  const joined = await inTransaction(pool, (db) =>
    acceptInvitations(db, { tokenHash }, { passwordHash, address, now }),
  );
  if (!joined) return 'gone';
  const { email, account } = joined;
  if (account === 'opened') tellOfChange({ email, address, now }, 'firstPassword');
  if (password !== null && account === 'known') return 'known';
  const session = by.sessionId === null ? null : await findSession(pool, by.sessionId, now);
  const isTheirs = session?.user.id === joined.userId;
  return isTheirs && (await switchMerchant(pool, session, joined.merchantId))
    ? 'entered'
    : 'joined';
}
