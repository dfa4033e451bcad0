import type { Pool } from 'pg';
import { inTransaction, type Queryable } from '../db/pool.ts';
import { GatewayError } from '../lib/errors.ts';
import type { Locale } from '../lib/locales.ts';
import type { Currency } from '../lib/money.ts';
import type { Environment, Role } from '../merchants/types.ts';
import { isAllowed, type Member, type Permission } from '../staff/roles.ts';
import {
  type Channel,
  NOTICE_KINDS,
  type NoticeChoice,
  type NoticeKind,
  type PaymentScope,
  type Place,
} from './types.ts';

/** Those hear of a kind who can do something about it. */
const NEEDED: Record<NoticeKind, Permission> = {
  callbacks_failing: 'callback.resend',
  callback_exhausted: 'callback.resend',
  payment: 'invoice.read',
  refund_failed: 'refunds.write',
  account_down: 'acquirer.manage',
  books_differ: 'refunds.write',
  sign_in: 'account.self',
};

const TOLD_TO_OWNERS: readonly NoticeKind[] = [
  'callbacks_failing',
  'callback_exhausted',
  'refund_failed',
  'account_down',
];

/** The kinds that a member may choose. */
export function kindsOf(member: Member): NoticeKind[] {
  return NOTICE_KINDS.filter((kind) => isAllowed(member, NEEDED[kind]));
}

/** A sign-in belongs to no environment: its choice is kept once. */
const environmentOf = (kind: NoticeKind, environment: Environment): Environment =>
  kind === 'sign_in' ? 'production' : environment;

/** What counts where a person has chosen nothing: owners hear by e-mail what stops their sales. */
function presetOf(kind: NoticeKind, role: Role, environment: Environment): NoticeChoice {
  const isTold = role === 'owner' && environment === 'production' && TOLD_TO_OWNERS.includes(kind);
  const payments =
    kind === 'payment' ? ({ scope: 'all', aboveMinor: null, currency: null } as const) : null;
  return { kind, channels: isTold ? ['email'] : [], payments };
}

type ChoiceRow = {
  kind: NoticeKind | null;
  channels: Channel[];
  scope: PaymentScope | null;
  above_minor: string | null;
  currency: Currency | null;
};

function choiceOf(row: ChoiceRow & { kind: NoticeKind }): NoticeChoice {
  const { kind, channels, scope, above_minor, currency } = row;
  const aboveMinor = above_minor === null ? null : BigInt(above_minor);
  return { kind, channels, payments: scope && { scope, aboveMinor, currency } };
}

/** A member of staff with what they want to hear of a merchant in one environment. */
export type Recipient = {
  userId: string;
  choices: NoticeChoice[];
};

type MemberRow = ChoiceRow & { user_id: string; role: Role; status: Member['status'] };

const MEMBERS = `
  SELECT m.user_id, m.role, t.status, c.kind, c.channels, c.scope, c.above_minor::text, c.currency
  FROM memberships m
  JOIN users u ON u.id = m.user_id AND u.disabled_at IS NULL
  JOIN merchants t ON t.id = m.merchant_id
  LEFT JOIN notice_choices c ON c.user_id = m.user_id AND c.merchant_id = m.merchant_id
    AND c.environment = CASE c.kind WHEN 'sign_in' THEN 'production' ELSE $2::environment END
  WHERE m.merchant_id = $1::text AND ($3::text IS NULL OR m.user_id = $3)
  ORDER BY m.user_id`;

/**
 * The members of a merchant's staff with their choices of the kinds that their roles allow, defaults
 * included.
 *
 * @param userId one of them alone
 */
export async function readRecipients(
  db: Queryable,
  { merchantId, environment }: Place,
  userId: string | null = null,
): Promise<Recipient[]> {
  const { rows } = await db.query<MemberRow>({
    name: 'notice_recipients',
    text: MEMBERS,
    values: [merchantId, environment, userId],
  });
  return [...new Set(rows.map((row) => row.user_id))].map((id) => {
    const own = rows.filter((row) => row.user_id === id);
    const [{ role, status }] = own as [MemberRow];
    const choices = kindsOf({ role, status }).map((kind) => {
      const chosen = own.find((row) => row.kind === kind);
      return chosen
        ? choiceOf({ ...chosen, kind })
        : presetOf(kind, role, environmentOf(kind, environment));
    });
    return { userId: id, choices };
  });
}

/**
 * Keeps a person's choices for a merchant in one environment, and the language in which they made
 * them: notices are written in it.
 *
 * @throws GatewayError `permission_missing` for somebody who is not on the merchant's staff
 */
export async function saveChoices(
  pool: Pool,
  { merchantId, environment }: Place,
  {
    userId,
    choices,
    locale,
    now,
  }: { userId: string; choices: readonly NoticeChoice[]; locale: Locale; now: Date },
): Promise<void> {
  const rows = choices.map(({ kind, channels, payments }) => ({
    kind,
    environment: environmentOf(kind, environment),
    channels,
    scope: payments?.scope ?? null,
    above_minor: payments?.aboveMinor?.toString() ?? null,
    currency: payments?.currency ?? null,
  }));
  await inTransaction(pool, async (db) => {
    await db.query('UPDATE users SET locale = $2 WHERE id = $1', [userId, locale]);
    const { rowCount } = await db.query(
      `INSERT INTO notice_choices
         (user_id, merchant_id, environment, kind, channels, scope, above_minor, currency, updated_at)
       SELECT m.user_id, m.merchant_id, c.environment, c.kind, c.channels, c.scope, c.above_minor,
              c.currency, $4
       FROM memberships m, jsonb_to_recordset($3) AS c (environment environment, kind text,
         channels text[], scope text, above_minor bigint, currency currency)
       WHERE m.user_id = $1 AND m.merchant_id = $2
       ON CONFLICT (user_id, merchant_id, environment, kind) DO UPDATE SET
         channels = excluded.channels, scope = excluded.scope, above_minor = excluded.above_minor,
         currency = excluded.currency, updated_at = excluded.updated_at`,
      [userId, merchantId, JSON.stringify(rows), now.toISOString()],
    );
    if (rowCount !== rows.length) throw new GatewayError('permission_missing');
  });
}
