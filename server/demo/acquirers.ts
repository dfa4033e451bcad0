import type { Pool } from 'pg';
import { CommandError } from '../lib/errors.ts';
import { type AcquirerAccount, listAccounts, openAccount } from '../merchants/acquirer-accounts.ts';
import type { AuditActor } from '../merchants/audit.ts';
import { changeAccount, connectAccount } from '../payments/accounts/accounts.ts';
import { hookPath } from '../payments/addresses.ts';
import type { Hooks } from '../testing/acquirers/hook-call.ts';
import { findDemoMerchant } from './seed.ts';

/** What the stand-ins know the demo merchant by. These open nothing but the stand-ins. */
const CREDENTIALS: Record<string, Record<string, string>> = {
  payme: { merchant_id: '65f0c0de65f0c0de65f0c0de', key: 'stand-in-of-payme' },
  click: {
    merchant_id: '4801',
    service_id: '4802',
    merchant_user_id: '4803',
    secret_key: 'stand-in-of-click',
  },
  multicard: {
    store_id: '4803',
    application_id: 'stand-in',
    secret: 'stand-in-of-multicard',
    mxik: '00702001001000001',
    package_code: '1',
  },
  stripe: { secret_key: 'sk_test_standin', webhook_secret: 'whsec_standin' },
  yookassa: { shop_id: '4805', secret_key: 'test_stand-in-of-yookassa' },
};

/** The secret that Multicard's stand-in signs with. */
export const MULTICARD_SECRET = CREDENTIALS.multicard?.secret ?? '';

type By = { actor: AuditActor; now: Date };

/** The account that an earlier run connected, offered to buyers again where it was switched off. */
async function reuse(
  pool: Pool,
  accounts: readonly AcquirerAccount[],
  provider: string,
  by: By,
): Promise<AcquirerAccount | null> {
  for (const account of accounts.filter((each) => each.provider === provider)) {
    const { credentials = {} } = (await openAccount(pool, account.id)) ?? {};
    const wanted = Object.entries(CREDENTIALS[provider] ?? {});
    if (!wanted.every(([name, value]) => credentials[name] === value)) continue;
    return account.isEnabled
      ? account
      : (await changeAccount(pool, account.id, 'enable', by)).account;
  }
  return null;
}

/**
 * Connects the demo merchant's sandbox to the stand-ins of the acquirers. Done again, it finds the
 * accounts that are there.
 *
 * @throws CommandError where no first start has made a demo merchant
 */
export async function connectStandIns(
  pool: Pool,
  { publicUrl, ...by }: By & { publicUrl: string },
): Promise<{ accounts: AcquirerAccount[]; hooks: Hooks }> {
  const merchantId = await findDemoMerchant(pool);
  if (merchantId === null) {
    throw new CommandError('There is no demo merchant here: start the gateway once (npm start).');
  }
  const owner = { merchantId, environment: 'sandbox' } as const;
  const before = await listAccounts(pool, owner);
  const accounts: AcquirerAccount[] = [];
  const hooks = new Map<string, { hookUrl: string; secret: string }>();
  for (const [provider, credentials] of Object.entries(CREDENTIALS)) {
    const account =
      (await reuse(pool, before, provider, by)) ??
      (await connectAccount(pool, { ...owner, ...by, provider, credentials }));
    accounts.push(account);
    const { service_id, merchant_id, shop_id, key, secret_key, webhook_secret } = credentials;
    const known = service_id ?? merchant_id ?? shop_id;
    const id = webhook_secret === undefined ? known : secret_key;
    const secret = webhook_secret ?? key ?? secret_key ?? '';
    if (id) hooks.set(id, { hookUrl: publicUrl + hookPath(account), secret });
  }
  return { accounts, hooks };
}
