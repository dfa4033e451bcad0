import type { Logger } from 'pino';
import type { Queryable } from '../db/pool.ts';
import { addressKey } from '../lib/address-key.ts';
import { hashTokenText } from '../lib/opaque-token.ts';
import { TokenBuckets } from '../lib/token-bucket.ts';
import { toNetworks } from '../merchants/networks.ts';
import { grantTenant } from '../merchants/tenant.ts';
import { findActiveToken } from '../merchants/tokens.ts';
import type { Environment } from '../merchants/types.ts';
import type { Refusal } from '../observability/refusals.ts';
import { BUSY, tooManyRequests, UNAUTHORIZED } from './answers.ts';
import { type KnownToken, TokenCache } from './token-cache.ts';
import { TokenUses } from './token-use.ts';
import type { Answer, RestRequest } from './types.ts';

export type Limits = {
  rateLimitPerSecond: number;
  rateLimitBurst: number;
  failedAuthPerMinute: number;
};

/**
 * A refusal also names the token if we know it. `outcome` says whether a refusal that counts
 * against its address was looked up.
 */
export type Authentication =
  | { ok: true; token: KnownToken }
  | {
      ok: false;
      answer: Answer;
      token: KnownToken | null;
      outcome?: Refusal['outcome'];
    };

/** The answer to a caller that failed, or failed too often. */
function failed(waitMs: number, token: KnownToken | null = null): Authentication {
  return waitMs > 0
    ? { ok: false, answer: tooManyRequests(waitMs), token, outcome: 'throttled' }
    : { ok: false, answer: UNAUTHORIZED, token, outcome: 'refused' };
}

const MAX_TOKENS = 10_000;
const MAX_ADDRESSES = 50_000;
/** Limits the look-ups in flight: other statements wait for connections behind them. */
const MAX_LOOKUPS = 1_000;

/** What a request says about its sender besides the token. */
type Claim = { environment: Environment; merchantId: string; now: Date };

const BEARER = /^Bearer +([A-Za-z0-9._~+/=-]{1,512})$/i;

/**
 * Authenticates the sender of a request, in front of every endpoint.
 *
 * A token that was good within the last five seconds costs no query. Failures are counted by
 * address and, beyond the limit, refused before the look-up, so that guessing costs the database
 * nothing; known good tokens still pass. A look-up counts as a failure until it finds its token, so
 * that many at once cannot get round the limit.
 */
export class Gate {
  readonly cache = new TokenCache();
  readonly uses: TokenUses;
  private readonly db: Queryable;
  private readonly requests: TokenBuckets;
  private readonly failures: TokenBuckets;
  private readonly lookups = new Map<string, Promise<KnownToken | null>>();
  // Hashes that were good at their last look-up: they may be looked up again despite any number of
  // failures from the same address.
  private readonly onceGood = new Set<string>();

  constructor(db: Queryable, limits: Limits, log: Logger) {
    this.db = db;
    this.uses = new TokenUses(db, log);
    this.requests = new TokenBuckets(
      { perSecond: limits.rateLimitPerSecond, burst: limits.rateLimitBurst },
      MAX_TOKENS,
    );
    this.failures = new TokenBuckets(
      { perSecond: limits.failedAuthPerMinute / 60, burst: limits.failedAuthPerMinute },
      MAX_ADDRESSES,
    );
  }

  /** 401, 429 or 503 as an answer, or the token. Wrong environment and X-Merchant are 401. */
  async authenticate(
    request: RestRequest,
    environment: Environment,
    now: Date,
  ): Promise<Authentication> {
    const text = BEARER.exec(request.header('authorization') ?? '')?.[1];
    const merchantId = request.header('x-merchant');
    if (text === undefined || merchantId === null) return this.refuse(request, now);
    const key = hashTokenText(text);
    const claim = { environment, merchantId, now };
    const known = this.cache.get(key, now.getTime());
    if (known !== null) return this.judge(known, request, claim);
    if (!this.onceGood.has(key) && !this.lookups.has(this.lookupKey(key))) {
      return this.guess(key, request, claim);
    }
    const found = await this.lookUp(key, now);
    return found === null ? this.refuse(request, now) : this.judge(found, request, claim);
  }

  /** Looks up an unknown token, if its address has a failure left for it. */
  private async guess(key: string, request: RestRequest, claim: Claim): Promise<Authentication> {
    if (this.lookups.size >= MAX_LOOKUPS) return { ok: false, answer: BUSY, token: null };
    const address = addressKey(request.remoteAddress);
    const waitMs = this.failures.take(address, claim.now.getTime());
    if (waitMs > 0) return failed(waitMs);
    let found: KnownToken | null;
    try {
      found = await this.lookUp(key, claim.now);
    } catch (error) {
      this.failures.give(address);
      throw error;
    }
    if (found === null) return failed(0);
    this.failures.give(address);
    return this.judge(found, request, claim);
  }

  private judge(token: KnownToken, request: RestRequest, claim: Claim): Authentication {
    const { tenant, tokenId } = token;
    if (tenant.environment !== claim.environment || tenant.merchantId !== claim.merchantId) {
      return this.refuse(request, claim.now, token);
    }
    const nowMs = claim.now.getTime();
    const waitMs = this.requests.take(tokenId, nowMs);
    return waitMs > 0 ? { ok: false, answer: tooManyRequests(waitMs), token } : { ok: true, token };
  }

  private refuse(request: RestRequest, now: Date, token: KnownToken | null = null): Authentication {
    const waitMs = this.failures.take(addressKey(request.remoteAddress), now.getTime());
    return failed(waitMs, token);
  }

  /**
   * Only look-ups of the same generation are shared: an older one may have read the token before
   * its deactivation.
   */
  private lookupKey(key: string): string {
    return `${this.cache.generation} ${key}`;
  }

  /** One look-up at a time for a token, however many requests wait for it. */
  private lookUp(key: string, now: Date): Promise<KnownToken | null> {
    const generation = this.cache.generation;
    const lookupKey = this.lookupKey(key);
    const running = this.lookups.get(lookupKey);
    if (running !== undefined) return running;
    const lookup = this.find(Buffer.from(key, 'base64'), now)
      .then((token) => {
        this.remember(key, token);
        if (token !== null) this.cache.put(key, token, generation, now.getTime());
        return token;
      })
      .finally(() => this.lookups.delete(lookupKey));
    this.lookups.set(lookupKey, lookup);
    return lookup;
  }

  private remember(key: string, token: KnownToken | null): void {
    if (token === null) this.onceGood.delete(key);
    else if (this.onceGood.size < MAX_TOKENS) this.onceGood.add(key);
  }

  private async find(hash: Buffer, now: Date): Promise<KnownToken | null> {
    const found = await findActiveToken(this.db, hash, now);
    if (found === null) return null;
    const { tokenId, merchantId, environment, expiresAtMs, scopes } = found;
    const tenant = grantTenant(merchantId, environment);
    return { tokenId, tenant, expiresAtMs, scopes, networks: toNetworks(found.networks) };
  }
}
