import type { Pool } from 'pg';
import { createSession, findSession, type StaffSession } from '../auth/sessions.ts';
import { grantTenant } from '../merchants/tenant.ts';
import type { Environment, Tenant } from '../merchants/types.ts';
import { contextOf } from '../trpc/context.ts';
import { createCaller } from '../trpc/root.ts';
import { type OpenedMerchant, openMerchant } from './merchants.ts';

/** The network address of the calls. */
export const STAFF_ADDRESS = '192.0.2.7';

type Caller = ReturnType<typeof createCaller>;

/** A person's new session, as a gate finds it. */
export async function newSession(db: Pool, userId: string, now: Date): Promise<StaffSession> {
  const { id } = await createSession(db, { userId, address: null, userAgent: null, now });
  const session = await findSession(db, id, now);
  if (!session) throw new Error('no session');
  return session;
}

// Shorter than the time after which an unused session ends.
const USE_MS = 25 * 60_000;

/** Makes a person use the dashboard at intervals, until shortly before `until`. */
export async function useSession(db: Pool, id: string, from: Date, until: Date): Promise<void> {
  for (let ms = from.getTime(); ms < until.getTime(); ms += USE_MS) {
    await findSession(db, id, new Date(ms));
  }
}

/** The procedures as a person's browser calls them. */
export function callerOf(
  db: Pool,
  session: StaffSession,
  { now, environment = 'sandbox' }: { now: Date; environment?: Environment },
): Caller {
  return createCaller(contextOf(session, { db, environment, address: STAFF_ADDRESS, now }));
}

export type StaffedShop = OpenedMerchant & {
  sandboxTenant: Tenant;
  /** The procedures as the owner calls them, at the time and environment of `at`. */
  calls: (at?: { now?: Date; environment?: Environment }) => Caller;
};

/** A new merchant with a signed-in owner. */
export async function createStaffedShop(
  db: Pool,
  now: Date,
  ownerEmail = 'owner@example.com',
): Promise<StaffedShop> {
  const actor = { type: 'operator', id: null, label: 'test' } as const;
  const made = await openMerchant(db, { name: 'Shop', ownerEmail, actor, now });
  const session = await newSession(db, made.owner.userId, now);
  return {
    ...made,
    sandboxTenant: grantTenant(made.merchantId, 'sandbox'),
    calls: (at = {}) => callerOf(db, session, { now, ...at }),
  };
}
