import { connectAccount } from '#server/payments/accounts/accounts.ts';
import { hookPath } from '#server/payments/addresses.ts';
import { createMerchants, type Merchant } from '../client.ts';
import type { FaultyGateway } from '../gateway.ts';
import type { Account } from './buyer.ts';
import { type Acquirer, MERCHANTS } from './stand-ins.ts';

export type Connected = { merchant: Merchant; accounts: Account[] };

/** Connects merchants to every acquirer. */
export async function connect(
  gateway: FaultyGateway,
  acquirers: readonly Acquirer[],
): Promise<Connected[]> {
  const merchants = await createMerchants(gateway, MERCHANTS);
  return await gateway.withDatabase(async (pool) => {
    const connected: Connected[] = [];
    for (const [number, merchant] of merchants.entries()) {
      const accounts: Account[] = [];
      for (const acquirer of acquirers) {
        const account = await connectAccount(pool, {
          merchantId: merchant.id,
          environment: 'sandbox',
          provider: acquirer.provider,
          credentials: acquirer.credentials(number),
          actor: { type: 'operator', id: null, label: 'fault suite' },
          now: new Date(),
        });
        acquirer.enterHook(number, gateway.origin + hookPath(account));
        accounts.push({ id: account.id, acquirer });
      }
      connected.push({ merchant, accounts });
    }
    return connected;
  });
}
