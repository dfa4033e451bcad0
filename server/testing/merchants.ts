import type pg from 'pg';
import { randomText } from '../lib/random-text.ts';
import { createMerchant, type NewMerchant } from '../merchants/mutations.ts';

type Created = Parameters<typeof createMerchant>[1];

/** A merchant whose owner has a password and can sign in. */
export type OpenedMerchant = NewMerchant & { owner: { password: string } };

/** Makes a merchant whose owner signs in with a password, unless they already had an account. */
export async function openMerchant(pool: pg.Pool, merchant: Created): Promise<OpenedMerchant> {
  const password = merchant.ownerPassword ?? randomText(20);
  const made = await createMerchant(pool, { ...merchant, ownerPassword: password });
  return { ...made, owner: { ...made.owner, password } };
}
