import type { Pool } from 'pg';
import type { AcquirerAccount } from '../../merchants/acquirer-accounts.ts';
import { connectAccount } from '../../payments/accounts/accounts.ts';

/** Connects an account of a merchant's sandbox at the stand-in for Multicard. */
export function connectMulticard(
  db: Pool,
  { merchantId, secret, name }: { merchantId: string; secret: string; name?: string },
  now: Date,
): Promise<AcquirerAccount> {
  return connectAccount(db, {
    merchantId,
    environment: 'sandbox',
    provider: 'multicard',
    ...(name === undefined ? {} : { name }),
    credentials: {
      store_id: '6',
      application_id: 'app',
      secret,
      mxik: '01234567890123456',
      package_code: '1500000',
    },
    actor: { type: 'operator', id: null, label: 'test' },
    now,
  });
}
