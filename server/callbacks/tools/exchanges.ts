import type { KeyObject } from 'node:crypto';
import type { Queryable } from '../../db/pool.ts';
import { type DatedSecret, datedSigningSecrets } from '../../merchants/signing-secrets.ts';
import type { Tenant } from '../../merchants/types.ts';
import { readCallback } from '../data.ts';
import { headerPairs, requestHeaders } from '../http/request-headers.ts';
import { signingKey } from '../http/sign.ts';
import type { CallbackAttemptView, CallbackView } from '../types.ts';

/** An attempt with its request, byte for byte, and its answer. */
export type Exchange = CallbackAttemptView & {
  /** e.g. `POST /callback?shop=1 HTTP/1.1` */
  requestLine: string;
  headers: { name: string; value: string }[];
};

// A rotation leaves at most two secrets.
const MAX_KEYS = 2;
const SIGNATURE = 'webhook-signature';

function keysAt(secrets: readonly DatedSecret[], at: Date): KeyObject[] {
  return secrets
    .filter(({ createdAt, expiresAt }) => createdAt <= at && (expiresAt === null || expiresAt > at))
    .slice(0, MAX_KEYS)
    .map(({ secret }) => signingKey(secret));
}

function requestOf(
  { url, id }: CallbackView,
  body: Buffer,
  { startedAt, secrets }: { startedAt: Date; secrets: readonly DatedSecret[] },
): Pick<Exchange, 'requestLine' | 'headers'> {
  // An address that cannot be parsed was never called.
  const target = URL.canParse(url) ? new URL(url) : null;
  const keys = keysAt(secrets, startedAt);
  const ours = headerPairs(requestHeaders({ id, body }, keys, startedAt));
  return {
    requestLine: `POST ${target ? target.pathname + target.search : url} HTTP/1.1`,
    headers: [
      { name: 'host', value: target?.host ?? '' },
      { name: 'connection', value: 'keep-alive' },
      ...ours.filter(({ name }) => name !== SIGNATURE || keys.length > 0),
      { name: 'content-length', value: String(body.length) },
    ],
  };
}

/**
 * One callback with request and answer of each of its newest attempts, or null.
 *
 * The headers are rebuilt from the attempt's record (its time, the frozen body) and the secrets
 * valid then; a secret that can no longer be opened adds no signature. Delivery keeps keys for five
 * seconds, so that an attempt just after a rotation may have carried one signature less.
 */
export async function readExchanges(
  db: Queryable,
  tenant: Tenant,
  name: string,
  { now }: { now: Date },
): Promise<{ callback: CallbackView; body: string; exchanges: Exchange[] } | null> {
  const found = await readCallback(db, tenant, name, { now });
  if (!found) return null;
  const { callback, body, attempts } = found;
  const secrets = await datedSigningSecrets(db, tenant);
  const bytes = Buffer.from(body);
  const exchanges = attempts.map((attempt) => ({
    ...attempt,
    ...requestOf(callback, bytes, { startedAt: attempt.startedAt, secrets }),
  }));
  return { callback, body, exchanges };
}
