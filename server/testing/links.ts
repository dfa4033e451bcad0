import type { Pool } from 'pg';
import { readLinkForBuyer } from '../links/data.ts';
import { createLink } from '../links/mutations.ts';
import type { NewLink, PaymentLink } from '../links/types.ts';
import type { Tenant } from '../merchants/types.ts';

/** A valid link for tests; `overrides` replace the fields under test. */
export function newLink(overrides: Partial<NewLink> = {}): NewLink {
  return {
    title: 'Coffee',
    description: null,
    currency: 'UZS',
    price: { amountMinor: 2_500_000n },
    maxQuantity: 1,
    asksNote: 'off',
    asksEmail: 'off',
    asksPhone: 'off',
    usesLimit: null,
    endsAtMs: null,
    ...overrides,
  };
}

/** Makes a link and reads it as its buyers do. */
export async function createTestLink(
  db: Pool,
  tenant: Tenant,
  { now, ...overrides }: Partial<NewLink> & { now: Date },
): Promise<PaymentLink> {
  const actor = { type: 'staff', id: 'usr_1', label: 'a@example.com' } as const;
  const id = await createLink(db, tenant, newLink(overrides), { actor, now });
  const { rows } = await db.query<{ code: string }>(
    'SELECT code FROM payment_links WHERE id = $1',
    [id],
  );
  const link = await readLinkForBuyer(db, rows[0]?.code ?? '', now);
  if (!link) throw new Error('the link is not there');
  return link;
}
