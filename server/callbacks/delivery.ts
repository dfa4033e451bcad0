import type pg from 'pg';
import { settings } from '../env.ts';
import { log } from '../log.ts';
import { activeSigningSecrets } from '../merchants/signing-secrets.ts';
import { AttemptLog } from './attempt-log.ts';
import type { DeliveryContext } from './deliver.ts';
import { forwardingSender } from './forward.ts';
import { createSender, type Sender } from './send.ts';
import { createSigningKeys, type SigningKeys } from './signing-keys.ts';

type Shared = { direct: Sender; sender: Sender; keys: SigningKeys; attempts: AttemptLog };

// One set of connections for the process, although Next's bundle and our own
// server each load this file.
const SHARED = Symbol.for('payment-gateway.delivery');
const globals = globalThis as typeof globalThis & { [SHARED]?: Shared };

const clock = () => new Date();

function shared(pool: pg.Pool): Shared {
  const existing = globals[SHARED];
  if (existing) return existing;
  const direct = createSender({ network: settings().callbackNetwork, clock });
  const made = {
    direct,
    sender: forwardingSender(direct, { pool, clock }),
    keys: createSigningKeys((merchantId, environment, now) =>
      activeSigningSecrets(pool, merchantId, environment, now),
    ),
    attempts: new AttemptLog(log()),
  };
  globals[SHARED] = made;
  return made;
}

/** What delivering needs in a running process: real clock, the process's connections. */
export function deliveryContext(pool: pg.Pool, onError: (error: unknown) => void): DeliveryContext {
  const { sender, keys, attempts } = shared(pool);
  return { pool, sender, keys, attempts, clock, random: Math.random, onError };
}

/** For samples: they go to the address that is tested, whoever listens. */
export function directDelivery(pool: pg.Pool): { sender: Sender; keys: SigningKeys } {
  const { direct, keys } = shared(pool);
  return { sender: direct, keys };
}

/** Closes the process's connections to merchants' servers. */
export async function closeDelivery(): Promise<void> {
  const open = globals[SHARED];
  delete globals[SHARED];
  await open?.direct.close();
  open?.attempts.flush();
}
