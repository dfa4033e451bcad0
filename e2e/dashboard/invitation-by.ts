import { openPool } from '#server/db/pool.ts';
import type { NewMerchant } from '#server/merchants/mutations.ts';
import { grantTenant } from '#server/merchants/tenant.ts';
import { createInvitation } from '#server/staff/invitations.ts';
import type { GatewayUnderTest } from '../gateway.ts';

/** The page of an invitation to a merchant's team. */
export async function invitationBy(
  { databaseUrl }: GatewayUnderTest,
  { merchantId, owner }: NewMerchant,
  email: string,
): Promise<string> {
  const pool = openPool(databaseUrl, 1);
  const actor = { type: 'staff' as const, id: owner.userId, label: owner.email };
  const wish = { email, role: 'viewer' as const, locale: 'en', actor, now: new Date() };
  const { token } = await createInvitation(pool, grantTenant(merchantId, 'sandbox'), wish);
  await pool.end();
  return `/dashboard/invitation/${token}`;
}
