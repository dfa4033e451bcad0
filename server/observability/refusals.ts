import { createHmac } from 'node:crypto';
import { addressKey } from '../lib/address-key.ts';
import { LruMap } from '../lib/lru-map.ts';
import { processWide } from '../lib/process-wide.ts';
import { settings } from '../settings/settings.ts';
import { LineLimit } from './line-limit.ts';
import { log } from './log.ts';
import { metrics, type RefusedWhat } from './metrics.ts';

/** A refused sign-in or action. */
export type Refusal = {
  what: RefusedWhat;
  /** `throttled`: refused unseen, after too many tries. */
  outcome: 'refused' | 'throttled';
  address?: string | null | undefined;
  requestId?: string | null | undefined;
  /** The claimed or signed-in e-mail address, in the form by which accounts are found. */
  account?: string | undefined;
  /** Further details to tell refusals apart: our own ids, never typed text. */
  about?: { [name: string]: string | undefined };
};

// This many accounts tried from one address within the window count as an attack: no office
// mistypes that many, and the limit for one account does not notice it.
export const SPRAYED_ACCOUNTS = 10;
export const SPRAY_WINDOW_MS = 15 * 60_000;
const MAX_ADDRESSES = 10_000;

type Seen = { sinceMs: number; accounts: Set<string> };

// Next's bundle and our own server report refusals in one process.
const kept = processWide('refusals', () => ({
  lines: new Map<RefusedWhat, LineLimit>(),
  byAddress: new LruMap<string, Seen>(MAX_ADDRESSES),
}));

/** A person may type a password into the address field, so the text itself is never kept. */
function hashOf(account: string): string {
  const hmac = createHmac('sha256', settings().authSecret);
  return hmac.update(`refused account\n${account}`).digest('base64url').slice(0, 16);
}

/** Lines beyond a bound within a second are left out and counted, each kind by itself. */
function takeLine(what: RefusedWhat, nowMs: number): number | null {
  const limit = kept.lines.get(what) ?? new LineLimit();
  kept.lines.set(what, limit);
  return limit.take(nowMs);
}

/** Reports once in a window that one address tries passwords of many accounts. */
function watchForSpray(address: string, account: string, nowMs: number): void {
  const key = addressKey(address);
  const before = kept.byAddress.get(key);
  const isOver = before === undefined || nowMs - before.sinceMs >= SPRAY_WINDOW_MS;
  const seen = isOver ? { sinceMs: nowMs, accounts: new Set<string>() } : before;
  kept.byAddress.set(key, seen);
  if (seen.accounts.size >= SPRAYED_ACCOUNTS) return;
  seen.accounts.add(account);
  if (seen.accounts.size < SPRAYED_ACCOUNTS) return;
  metrics().sprays.inc();
  log().warn({ address, accounts: SPRAYED_ACCOUNTS }, 'passwords of many accounts are tried');
}

/**
 * Counts and logs a refusal. All refusals come through here, so that a watcher sees an attack.
 *
 * @param nowMs milliseconds from any origin
 */
export function tellRefusal(refusal: Refusal, nowMs = performance.now()): void {
  const { what, outcome, address, requestId, about } = refusal;
  metrics().refusals.inc({ what, outcome });
  const account = refusal.account === undefined ? undefined : hashOf(refusal.account);
  if (what === 'password' && address && account) {
    watchForSpray(address, account, nowMs);
  }
  const unlogged = takeLine(what, nowMs);
  if (unlogged === null) return;
  const more = unlogged > 0 && { unlogged };
  log().warn({ what, outcome, account, address, requestId, ...about, ...more }, 'refused');
}
