import type pg from 'pg';
import { processWide } from '../../lib/process-wide.ts';
import { activeSigningSecrets } from '../../merchants/signing-secrets.ts';
import { log } from '../../observability/log.ts';
import { settings } from '../../settings/settings.ts';
import { createSender, type Sender } from '../http/send.ts';
import { createSigningKeys, type SigningKeys } from '../http/signing-keys.ts';
import { forwardingSender } from '../tools/forward.ts';
import { AttemptLog } from './attempt-log.ts';
import type { DeliveryContext } from './deliver.ts';

type Shared = {
  pool: pg.Pool;
  direct: Sender;
  sender: Sender;
  keys: SigningKeys;
  attempts: AttemptLog;
};

const held = processWide<{ shared?: Shared }>('delivery', () => ({}));

const clock = () => new Date();

function shared(pool: pg.Pool): Shared {
  if (held.shared?.pool === pool) return held.shared;
  const direct = createSender({ network: settings().callbackNetwork, clock });
  held.shared = {
    pool,
    direct,
    sender: forwardingSender(direct, { pool, clock }),
    keys: createSigningKeys((merchantId, environment, now) =>
      activeSigningSecrets(pool, merchantId, environment, now),
    ),
    attempts: new AttemptLog(log()),
  };
  return held.shared;
}

/** The needs of delivery in a running process: real clock, the process's connections. */
export function deliveryContext(pool: pg.Pool, onError: (error: unknown) => void): DeliveryContext {
  const { sender, keys, attempts } = shared(pool);
  return { pool, sender, keys, attempts, clock, random: Math.random, onError };
}

/** Serves samples: they go to the tested address, even if somebody listens. */
export function directDelivery(pool: pg.Pool): { sender: Sender; keys: SigningKeys } {
  const { direct, keys } = shared(pool);
  return { sender: direct, keys };
}

/** Closes the process's connections to merchants' servers. */
export async function closeDelivery(): Promise<void> {
  const { shared: open } = held;
  delete held.shared;
  await open?.direct.close();
  open?.attempts.flush();
}
