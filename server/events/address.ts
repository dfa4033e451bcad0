import type pg from 'pg';
import {
  AddressRefusedError,
  type CallbackNetwork,
  vetUrl,
} from '../callbacks/http/address-guard.ts';
import { inTransaction, type Queryable } from '../db/pool.ts';
import { GatewayError, type PlainErrorCode } from '../lib/errors.ts';
import { type AuditActor, recordAudit } from '../merchants/audit.ts';
import type { Tenant } from '../merchants/types.ts';
import { SENT_EVENT_TYPES, type WrittenEventType } from './types.ts';

/** Where a tenant's events are sent. */
export type EventAddress = { url: string; types: WrittenEventType[]; setAtMs: number };

/** The tenant's address, or null. */
export async function readEventAddress(
  db: Queryable,
  { merchantId, environment }: Tenant,
): Promise<EventAddress | null> {
  const { rows } = await db.query<{ url: string; types: WrittenEventType[]; set_at: Date }>(
    `SELECT url, types, set_at FROM event_addresses
     WHERE merchant_id = $1 AND environment = $2::environment`,
    [merchantId, environment],
  );
  const [row] = rows;
  return row ? { url: row.url, types: row.types, setAtMs: row.set_at.getTime() } : null;
}

const REFUSALS: Record<AddressRefusedError['refusal'], PlainErrorCode> = {
  url_invalid: 'callback_url_invalid',
  port_refused: 'callback_port_refused',
  address_refused: 'callback_address_refused',
};

function refusalOf(url: string, network: CallbackNetwork): PlainErrorCode | null {
  try {
    vetUrl(url, network);
    return null;
  } catch (error) {
    if (error instanceof AddressRefusedError) return REFUSALS[error.refusal];
    throw error;
  }
}

/**
 * Sets the tenant's address for events, and which are sent there. What happened before is not sent,
 * and what waits to be sent still goes to the address before. The same transaction writes the audit
 * log, which names the host alone: the rest of an address may be a secret.
 *
 * @param url an http or https address by the rules of `callback_url`
 * @throws GatewayError `validation` where callbacks never go to such an address or port
 */
export async function setEventAddress(
  pool: pg.Pool,
  tenant: Tenant,
  address: {
    url: string;
    types: readonly WrittenEventType[];
    network: CallbackNetwork;
    actor: AuditActor;
    now: Date;
  },
): Promise<EventAddress> {
  const { url, network, actor, now } = address;
  const { merchantId, environment } = tenant;
  const refusal = refusalOf(url, network);
  if (refusal !== null) throw new GatewayError(refusal);
  const types = SENT_EVENT_TYPES.filter((type) => address.types.includes(type));
  await inTransaction(pool, async (db) => {
    await db.query(
      `INSERT INTO event_addresses (merchant_id, environment, url, types, set_at)
       VALUES ($1, $2::environment, $3, $4, $5)
       ON CONFLICT (merchant_id, environment) DO UPDATE
         SET url = excluded.url, types = excluded.types, set_at = excluded.set_at`,
      [merchantId, environment, url, types, now.toISOString()],
    );
    const details = { host: new URL(url).host, types: types.join(', ') };
    const action = 'events.set_address';
    await recordAudit(db, { actor, now, action, merchantId, environment, details });
  });
  return { url, types, setAtMs: now.getTime() };
}

/**
 * Removes the tenant's address for events; what waits to be sent still goes there. The same
 * transaction writes the audit log.
 *
 * @returns false if there was none
 */
export async function removeEventAddress(
  pool: pg.Pool,
  { merchantId, environment }: Tenant,
  { actor, now }: { actor: AuditActor; now: Date },
): Promise<boolean> {
  return await inTransaction(pool, async (db) => {
    const { rows } = await db.query<{ url: string }>(
      `DELETE FROM event_addresses WHERE merchant_id = $1 AND environment = $2::environment
       RETURNING url`,
      [merchantId, environment],
    );
    const [removed] = rows;
    if (!removed) return false;
    const details = { host: new URL(removed.url).host };
    const action = 'events.remove_address';
    await recordAudit(db, { actor, now, action, merchantId, environment, details });
    return true;
  });
}
