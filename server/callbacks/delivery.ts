import type pg from 'pg';
import { settings } from '../env.ts';
import { activeSigningSecrets } from '../merchants/signing-secrets.ts';
import type { DeliveryContext } from './deliver.ts';
import { createSender, type Sender } from './send.ts';
import { createSigningKeys, type SigningKeys } from './signing-keys.ts';

type Shared = { sender: Sender; keys: SigningKeys };

// One set of connections for the process, although Next's bundle and our own
// server each load this file.
const SHARED = Symbol.for('payment-gateway.delivery');
const globals = globalThis as typeof globalThis & { [SHARED]?: Shared };

const clock = () => new Date();

/** What delivering needs in a running process: real clock, the process's connections. */
export function deliveryContext(pool: pg.Pool, onError: (error: unknown) => void): DeliveryContext {
  globals[SHARED] ??= {
    sender: createSender({ network: settings().callbackNetwork, clock }),
    keys: createSigningKeys((merchantId, environment, now) =>
      activeSigningSecrets(pool, merchantId, environment, now),
    ),
  };
  return { pool, ...globals[SHARED], clock, random: Math.random, onError };
}

/** Closes the process's connections to merchants' servers. */
export async function closeDelivery(): Promise<void> {
  const shared = globals[SHARED];
  delete globals[SHARED];
  await shared?.sender.close();
}
