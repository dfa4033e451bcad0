/** How fast a bucket fills and how much it holds. */
export type BucketRate = { perSecond: number; burst: number };

type Bucket = { available: number; updatedAtMs: number };

/**
 * Token buckets by key, at most `maxKeys` of them.
 *
 * The caller passes the time in. The oldest key goes when there are too many: it starts again full,
 * so forgetting favours the caller.
 */
export class TokenBuckets {
  private readonly rate: BucketRate;
  private readonly maxKeys: number;
  private readonly buckets = new Map<string, Bucket>();

  constructor(rate: BucketRate, maxKeys: number) {
    this.rate = rate;
    this.maxKeys = maxKeys;
  }

  /** Takes one token: 0 when there was one, otherwise the milliseconds until the next. */
  take(key: string, nowMs: number): number {
    const bucket = this.filled(key, nowMs);
    const waitMs = this.waitMs(bucket);
    if (waitMs === 0) bucket.available -= 1;
    return waitMs;
  }

  /** Puts back a token that was taken. */
  give(key: string): void {
    const bucket = this.buckets.get(key);
    if (bucket) bucket.available = Math.min(this.rate.burst, bucket.available + 1);
  }

  get size(): number {
    return this.buckets.size;
  }

  private waitMs(bucket: Bucket): number {
    if (bucket.available >= 1) return 0;
    return Math.ceil(((1 - bucket.available) / this.rate.perSecond) * 1000);
  }

  private filled(key: string, nowMs: number): Bucket {
    const existing = this.buckets.get(key);
    if (existing === undefined) return this.add(key, nowMs);
    const elapsedMs = nowMs - existing.updatedAtMs;
    // A clock that was set back fills nothing; the bucket counts on from there.
    if (elapsedMs > 0) {
      const gained = (elapsedMs / 1000) * this.rate.perSecond;
      existing.available = Math.min(this.rate.burst, existing.available + gained);
    }
    existing.updatedAtMs = nowMs;
    return existing;
  }

  private add(key: string, nowMs: number): Bucket {
    if (this.buckets.size >= this.maxKeys) {
      const first = this.buckets.keys().next();
      if (!first.done) this.buckets.delete(first.value);
    }
    const bucket = { available: this.rate.burst, updatedAtMs: nowMs };
    this.buckets.set(key, bucket);
    return bucket;
  }
}
