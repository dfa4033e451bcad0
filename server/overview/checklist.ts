import type { Queryable } from '../db/pool.ts';
import { CURRENCIES } from '../lib/money.ts';
import { CHECKLIST_STEPS, type Checklist } from './types.ts';

/** Kept among the acknowledgements, for both environments in one row. */
const DISMISSED = 'checklist';

const inEnvironment = (environment: string): string =>
  `merchant_id = $1::text AND environment = '${environment}'`;

// One step of an index for each question: the first row answers it.
const anyPaid = (environment: string): string => `EXISTS (
  SELECT FROM invoices WHERE ${inEnvironment(environment)} AND status = 'PAID'
    AND currency = ANY ('{${CURRENCIES.join()}}'::currency[]))`;

const CHECKLIST = `
  SELECT m.legal_name IS NOT NULL AND m.support_email IS NOT NULL AS seller,
    EXISTS (SELECT FROM acquirer_accounts WHERE ${inEnvironment('production')}
      AND disconnected_at IS NULL AND is_enabled) AS method,
    ${anyPaid('sandbox')} AS "testPayment",
    EXISTS (SELECT FROM callbacks WHERE merchant_id = $1::text
      AND environment = ANY ('{sandbox,production}'::environment[]) AND state = 'delivered') AS callback,
    EXISTS (SELECT FROM users WHERE id = $2::text AND totp_enabled_at IS NOT NULL) AS "secondFactor",
    (SELECT count(*) FROM (SELECT FROM memberships WHERE merchant_id = $1::text LIMIT 2) s) > 1
      OR EXISTS (SELECT FROM invitations WHERE merchant_id = $1::text) AS colleague,
    EXISTS (SELECT FROM invoices WHERE ${inEnvironment('production')}) AS live,
    ${anyPaid('production')} AS "realPayment",
    EXISTS (SELECT FROM acknowledgements WHERE ${inEnvironment('production')}
      AND cause = '${DISMISSED}') AS dismissed
  FROM merchants m WHERE m.id = $1::text`;

type Row = Record<(typeof CHECKLIST_STEPS)[number] | 'realPayment' | 'dismissed', boolean>;

/**
 * What a new merchant has done on the way to a first real payment; null once that has come, or once
 * somebody has put the list away.
 *
 * @param userId whose second factor counts
 */
export async function readChecklist(
  db: Queryable,
  merchantId: string,
  userId: string,
): Promise<Checklist | null> {
  const { rows } = await db.query<Row>({
    name: 'overview_checklist',
    text: CHECKLIST,
    values: [merchantId, userId],
  });
  const [row] = rows;
  if (!row || row.realPayment || row.dismissed) return null;
  return CHECKLIST_STEPS.map((step) => ({ step, isDone: row[step] }));
}

/** Puts the list away for everybody on the staff. */
export async function dismissChecklist(
  db: Queryable,
  merchantId: string,
  { userId, now }: { userId: string; now: Date },
): Promise<void> {
  await db.query(
    `INSERT INTO acknowledgements (merchant_id, environment, cause, seen_count, user_id, at)
     VALUES ($1, 'production', '${DISMISSED}', 1, $2, $3)
     ON CONFLICT (merchant_id, environment, cause) DO NOTHING`,
    [merchantId, userId, now.toISOString()],
  );
}
