import { createHmac } from 'node:crypto';
import { addressKey } from '../lib/address-key.ts';
import { LruMap } from '../lib/lru-map.ts';
import { processWide } from '../lib/process-wide.ts';
import { settings } from '../settings/settings.ts';
import { LineLimit } from './line-limit.ts';
import { log } from './log.ts';
import { metrics, type RefusedWhat } from './metrics.ts';

/** Somebody who was not let in, or not let do something. */
export type Refusal = {
  what: RefusedWhat;
  /** `throttled`: after too many tries, so that this one was not looked at. */
  outcome: 'refused' | 'throttled';
  address?: string | null | undefined;
  requestId?: string | null | undefined;
  /** The e-mail address that was claimed or is signed in, as accounts are found by it. */
  account?: string | undefined;
  /** What else tells one from another: an id of ours, never what was typed. */
  about?: { [name: string]: string | undefined };
};

// Passwords of so many accounts are tried from one address within the window: no office mistypes as
// many, and the limit of tries of an account sees nothing of it.
export const SPRAYED_ACCOUNTS = 10;
export const SPRAY_WINDOW_MS = 15 * 60_000;
const MAX_ADDRESSES = 10_000;

type Seen = { sinceMs: number; accounts: Set<string> };

// Next's bundle and our own server refuse in one process.
const kept = processWide('refusals', () => ({
  lines: new Map<RefusedWhat, LineLimit>(),
  byAddress: new LruMap<string, Seen>(MAX_ADDRESSES),
}));

/** A person may type a password where the address belongs: nobody reads it out of this. */
function hashOf(account: string): string {
  const hmac = createHmac('sha256', settings().authSecret);
  return hmac.update(`refused account\n${account}`).digest('base64url').slice(0, 16);
}

/** Of many in a second some lines are left out and counted, each kind by itself. */
function takeLine(what: RefusedWhat, nowMs: number): number | null {
  const limit = kept.lines.get(what) ?? new LineLimit();
  kept.lines.set(what, limit);
  return limit.take(nowMs);
}

/** Tells once in a window that the passwords of many accounts are tried from one address. */
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
 * Counts a refusal and tells the log of it: the one place for all of them, so that whoever watches
 * sees an attack.
 *
 * @param nowMs milliseconds from any beginning
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
