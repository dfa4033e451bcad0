import type { Logger } from 'pino';
import type { Queryable } from '../db/pool.ts';
import { TokenBuckets } from '../lib/token-bucket.ts';
import { type ApiRequest, recordApiRequests } from '../merchants/api-requests.ts';
import type { Tenant } from '../merchants/types.ts';
import { describeExchange, type Exchanged } from './request-description.ts';

const FLUSH_EVERY_MS = 1_000;
const MAX_HELD = 2_000;
// A statement is written in one turn of the event loop, for which everybody waits.
const MAX_BATCH = { rows: 500, characters: 256 * 1024 };
const MAX_MERCHANTS = 10_000;

// Limits for one merchant and process. Failures have a limit of their own, so that a busy second of
// good requests cannot hide them.
const SUCCEEDED = { perSecond: 20, burst: 200 };
const FAILED = { perSecond: 20, burst: 500 };
const FIRST_FAILURE = 400;

/** Roughly a request's size in a statement: everything that callers can make long. */
function charactersOf({ faults, invoiceId, merchantTransactionId }: ApiRequest): number {
  let characters = 0;
  for (const text of [faults, invoiceId, merchantTransactionId]) characters += text?.length ?? 0;
  return characters;
}

/**
 * A merchant's requests, for its developers: gathered here, written once a second, never within a
 * request.
 *
 * It gives way rather than slow anybody. Beyond some requests a second for one merchant, successful
 * ones are only counted. While the database is slow, requests that exceed the reserved memory are
 * lost and counted. A crash loses the last second.
 */
export class RequestJournal {
  private readonly db: Queryable;
  private readonly log: Logger;
  private readonly timer: NodeJS.Timeout;
  private readonly succeeded = new TokenBuckets(SUCCEEDED, MAX_MERCHANTS);
  private readonly failed = new TokenBuckets(FAILED, MAX_MERCHANTS);
  private readonly skipped = new Map<string, number>();
  private readonly keys = new WeakMap<Tenant, string>();
  private held: ApiRequest[] = [];
  private lost = 0;
  private writing: Promise<void> | null = null;

  constructor(db: Queryable, log: Logger) {
    this.db = db;
    this.log = log;
    this.timer = setInterval(() => void this.flush(), FLUSH_EVERY_MS);
    this.timer.unref();
  }

  /** Records a request whose sender is known. */
  note(exchanged: Exchanged): void {
    const key = this.keyOf(exchanged.tenant);
    const buckets = exchanged.status >= FIRST_FAILURE ? this.failed : this.succeeded;
    if (buckets.take(key, exchanged.at.getTime()) > 0) {
      this.skip(key);
      return;
    }
    if (this.held.length >= MAX_HELD) {
      this.lost += 1;
      return;
    }
    const skipped = this.skipped.get(key) ?? 0;
    if (skipped > 0) this.skipped.delete(key);
    this.held.push({ ...describeExchange(exchanged), skipped });
  }

  /** Writes the held requests; one flush at a time, so that a slow database is not asked twice. */
  flush(): Promise<void> {
    this.writing ??= this.write().finally(() => {
      this.writing = null;
    });
    return this.writing;
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.flush();
    // An earlier flush may be under way and end with a failing batch: this one takes the rest.
    await this.flush();
  }

  /** Cached by tenant object, which lives as long as its token is known. */
  private keyOf(tenant: Tenant): string {
    const known = this.keys.get(tenant);
    if (known !== undefined) return known;
    const key = tenant.environment + tenant.merchantId;
    this.keys.set(tenant, key);
    return key;
  }

  private skip(key: string): void {
    if (!this.skipped.has(key) && this.skipped.size >= MAX_MERCHANTS) this.skipped.clear();
    this.skipped.set(key, (this.skipped.get(key) ?? 0) + 1);
  }

  /** Takes the oldest requests that fit into one statement. */
  private takeBatch(): ApiRequest[] {
    let count = 0;
    let characters = 0;
    for (const request of this.held) {
      characters += charactersOf(request);
      if (count === MAX_BATCH.rows || (count > 0 && characters > MAX_BATCH.characters)) break;
      count += 1;
    }
    return this.held.splice(0, count);
  }

  private async write(): Promise<void> {
    while (this.held.length > 0) {
      const batch = this.takeBatch();
      try {
        await recordApiRequests(this.db, batch);
      } catch (error) {
        this.lost += batch.length;
        this.log.warn({ err: error }, 'the log of API requests could not be written');
        break;
      }
    }
    if (this.lost === 0) return;
    this.log.warn({ lost: this.lost }, 'API requests are missing in the log of requests');
    this.lost = 0;
  }
}
