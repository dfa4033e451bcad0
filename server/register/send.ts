import type { Pool } from 'pg';
import type { Queryable } from '../db/pool.ts';
import { translatorOf } from '../i18n/translator.ts';
import { CSV_START } from '../lib/csv.ts';
import { isLocale, type Locale, propertiesOf } from '../lib/locales.ts';
import { formatMoney } from '../lib/money.ts';
import { shiftedDay, spanOfDay } from '../lib/zone-days.ts';
import { registerEmail } from '../mail/email-templates.ts';
import { type Email, type MailRoute, senderOf, tryEmail } from '../mail/send.ts';
import { grantTenant } from '../merchants/tenant.ts';
import type { Environment, Role } from '../merchants/types.ts';
import { log } from '../observability/log.ts';
import { metrics } from '../observability/metrics.ts';
import { settings } from '../settings/settings.ts';
import { isAllowed } from '../staff/roles.ts';
import { readRegister, sumRegister } from './data.ts';
import { registerCsvHeads, registerCsvLine, registerXlsx } from './file.ts';
import { sentAtMs } from './subscription.ts';
import type { RegisterRow, RegisterTotal } from './types.ts';

/** A failed e-mail, and one whose worker has died, is due again after this. */
const LEASE_MS = 10 * 60_000;
const PAGE = 500;
/** A longer register would be too large for mail servers. */
const MOST_ATTACHED = 50_000;

type Due = {
  user_id: string;
  merchant_id: string;
  environment: Environment;
  day: string;
  email: string;
  locale: string | null;
  role: Role;
  isDisabled: boolean;
  merchant: string;
  status: 'active' | 'suspended';
  time_zone: string;
};

/** Takes due registers: each is due again after the lease, unless its day is done. */
async function claim(db: Queryable, now: Date, limit: number): Promise<Due[]> {
  const { rows } = await db.query<Due>({
    name: 'claim_registers',
    text: `
      WITH due AS (
        SELECT user_id, merchant_id, environment FROM register_emails
        WHERE due_at <= $1::timestamptz ORDER BY due_at LIMIT $3::int FOR UPDATE SKIP LOCKED)
      UPDATE register_emails e SET due_at = $2::timestamptz
      FROM due, users u, merchants m, memberships s
      WHERE e.user_id = due.user_id AND e.merchant_id = due.merchant_id
        AND e.environment = due.environment AND u.id = e.user_id AND m.id = e.merchant_id
        AND s.user_id = e.user_id AND s.merchant_id = e.merchant_id
      RETURNING e.user_id, e.merchant_id, e.environment, e.day, u.email, u.locale, s.role,
        u.disabled_at IS NOT NULL AS "isDisabled", m.name AS merchant, m.status, m.time_zone`,
    values: [now.toISOString(), new Date(now.getTime() + LEASE_MS).toISOString(), limit],
  });
  return rows;
}

/** Moves on to a day; whoever has moved on before, or switched it off, wins. */
async function setDay(db: Queryable, due: Due, day: string): Promise<void> {
  await db.query({
    name: 'next_register',
    text: `UPDATE register_emails SET day = $5, due_at = $6::timestamptz
           WHERE user_id = $1 AND merchant_id = $2 AND environment = $3::environment AND day = $4`,
    values: [
      due.user_id,
      due.merchant_id,
      due.environment,
      due.day,
      day,
      new Date(sentAtMs(day, due.time_zone)).toISOString(),
    ],
  });
}

/** All rows of a day; null where they are too many for an e-mail. */
async function readAll(
  db: Queryable,
  ...[tenant, span]: [Parameters<typeof readRegister>[1], Parameters<typeof readRegister>[2]]
): Promise<RegisterRow[] | null> {
  const rows: RegisterRow[] = [];
  let cursor: string | null = null;
  do {
    const page = await readRegister(db, tenant, span, { cursor, limit: PAGE });
    rows.push(...page.rows);
    cursor = page.nextCursor;
  } while (cursor !== null && rows.length <= MOST_ATTACHED);
  return rows.length > MOST_ATTACHED ? null : rows;
}

async function attachments(
  rows: RegisterRow[],
  { day, time_zone: timeZone, environment }: Due,
  locale: Locale,
): Promise<NonNullable<Email['attachments']>> {
  const separator = propertiesOf(locale).csvSeparator;
  const lines = rows.map((row) => registerCsvLine(row, { timeZone, separator }));
  const xlsx = new Response(registerXlsx(rows, { day, timeZone, locale }));
  const name = `register-${environment}-${day}`;
  return [
    {
      filename: `${name}.csv`,
      contentType: 'text/csv; charset=utf-8',
      content: CSV_START + registerCsvHeads(timeZone, separator) + lines.join(''),
    },
    { filename: `${name}.xlsx`, content: Buffer.from(await xlsx.arrayBuffer()) },
  ];
}

function totalLine(total: RegisterTotal, locale: Locale): string {
  const { currency, grossMinor, refundedMinor, feeMinor, netMinor } = total;
  const t = translatorOf(locale, 'register');
  const money = (minor: bigint): string => {
    const text = formatMoney(minor < 0n ? -minor : minor, currency, locale);
    return minor < 0n ? `\u2212${text}` : text;
  };
  return [
    `${t('gross')}: ${money(grossMinor)} (${t('payments', { count: total.payments })})`,
    `${t('refunded')}: ${money(refundedMinor)} (${t('refunds', { count: total.refunds })})`,
    `${t('fees')}: ${total.feesUnknown > 0 && feeMinor === 0n ? '–' : money(feeMinor)}`,
    `${t('net', { currency })}: ${money(netMinor)}`,
  ].join(' · ');
}

async function write(db: Queryable, due: Due, route: MailRoute): Promise<Email> {
  const { day, environment, merchant_id: merchantId } = due;
  const locale = isLocale(due.locale) ? due.locale : 'en';
  const tenant = grantTenant(merchantId, environment);
  const span = spanOfDay(day, due.time_zone);
  const totals = await sumRegister(db, tenant, span);
  const rows = await readAll(db, tenant, span);
  const sender = senderOf(route);
  const id = `register-${day}-${due.user_id}-${merchantId}-${environment}`;
  return {
    ...registerEmail(locale, {
      merchantName: due.merchant,
      day,
      totals: totals.map((total) => totalLine(total, locale)),
      isAttached: rows !== null,
      url: `${settings().publicUrl}/dashboard/${environment}/register?day=${day}`,
    }),
    // The same for each attempt: by it a mail server or a reader tells a repeat.
    messageId: `<${id}@${sender.slice(sender.lastIndexOf('@') + 1)}>`,
    attachments: rows && rows.length > 0 ? await attachments(rows, due, locale) : [],
  };
}

async function send(db: Queryable, due: Due, route: MailRoute, now: Date): Promise<void> {
  // The merchant's zone may have changed since.
  if (sentAtMs(due.day, due.time_zone) > now.getTime()) return await setDay(db, due, due.day);
  if (!due.isDisabled && isAllowed(due, 'business.read')) {
    const { outcome } = await tryEmail(due.email, await write(db, due, route), route);
    metrics().emails.inc({ outcome });
    if (outcome === 'failed') return;
  }
  await setDay(db, due, shiftedDay(due.day, 1));
}

/**
 * Sends the due registers to those who get them each morning, each day's once. Days that nobody sent,
 * because the gateway or the mail server was away, are sent one after the other.
 *
 * One whose worker dies after the mail server took it is sent once more with the same Message-ID: no
 * protocol tells whether it had been taken.
 *
 * @returns the number of attempts
 */
export async function sendRegisters(
  db: Pool,
  { route, clock, limit }: { route: MailRoute; clock: () => Date; limit: number },
): Promise<number> {
  const due = await claim(db, clock(), limit);
  for (const each of due) {
    try {
      await send(db, each, route, clock());
    } catch (error) {
      // The lease makes it due again.
      log().error({ err: error, userId: each.user_id, day: each.day }, 'a register was not sent');
    }
  }
  return due.length;
}
