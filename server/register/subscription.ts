import type { Queryable } from '../db/pool.ts';
import { dayOf, shiftedDay, startOfDay } from '../lib/zone-days.ts';
import type { Tenant } from '../merchants/types.ts';

const HOUR_MS = 3_600_000;
/** This long after a day has ended, its register is sent: in the morning, when all of it is there. */
const AFTER_END_MS = 6 * HOUR_MS;

/** When a day's register is sent, milliseconds. */
export function sentAtMs(day: string, timeZone: string): number {
  return (startOfDay(day, 1, timeZone) ?? 0) + AFTER_END_MS;
}

/** Whether somebody gets the register each morning; null for one who is not on the staff. */
export async function getsRegister(
  db: Queryable,
  { merchantId, environment }: Tenant,
  userId: string,
): Promise<boolean | null> {
  const { rows } = await db.query<{ is_on: boolean }>({
    name: 'gets_register',
    text: `SELECT EXISTS (SELECT FROM register_emails e WHERE e.user_id = m.user_id
             AND e.merchant_id = m.merchant_id AND e.environment = $3::environment) AS is_on
           FROM memberships m WHERE m.user_id = $1 AND m.merchant_id = $2`,
    values: [userId, merchantId, environment],
  });
  return rows[0]?.is_on ?? null;
}

/** Sends the register to a member of staff each morning, yesterday's at once, or no longer. */
export async function switchRegister(
  db: Queryable,
  { merchantId, environment }: Tenant,
  { userId, isOn, timeZone, now }: { userId: string; isOn: boolean; timeZone: string; now: Date },
): Promise<void> {
  const scope = [userId, merchantId, environment];
  if (!isOn) {
    await db.query(
      'DELETE FROM register_emails WHERE user_id = $1 AND merchant_id = $2 AND environment = $3',
      scope,
    );
    return;
  }
  const day = shiftedDay(dayOf(now.getTime(), timeZone), -1);
  await db.query(
    `INSERT INTO register_emails (user_id, merchant_id, environment, day, due_at)
     SELECT user_id, merchant_id, $3::environment, $4, $5 FROM memberships
     WHERE user_id = $1 AND merchant_id = $2 ON CONFLICT DO NOTHING`,
    [...scope, day, new Date(sentAtMs(day, timeZone)).toISOString()],
  );
}
