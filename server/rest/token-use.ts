import type { Logger } from 'pino';
import type { Queryable } from '../db/pool.ts';
import { recordTokenUse } from '../merchants/token-use.ts';

const FLUSH_EVERY_MS = 10_000;

/** Gathers when tokens were used and writes it now and then, never within a request. */
export class TokenUse {
  private lastUsedAtMs = new Map<string, number>();
  private readonly db: Queryable;
  private readonly log: Logger;
  private readonly timer: NodeJS.Timeout;

  constructor(db: Queryable, log: Logger) {
    this.db = db;
    this.log = log;
    this.timer = setInterval(() => void this.flush(), FLUSH_EVERY_MS);
    this.timer.unref();
  }

  note(tokenId: string, nowMs: number): void {
    this.lastUsedAtMs.set(tokenId, nowMs);
  }

  async flush(): Promise<void> {
    const uses = this.lastUsedAtMs;
    this.lastUsedAtMs = new Map();
    try {
      await recordTokenUse(this.db, uses);
    } catch (error) {
      this.keep(uses);
      this.log.warn({ err: error }, 'the last use of tokens could not be written');
    }
  }

  /** Keeps the uses for the next flush, except those of tokens used again meanwhile. */
  private keep(uses: ReadonlyMap<string, number>): void {
    for (const [tokenId, atMs] of uses) {
      if (!this.lastUsedAtMs.has(tokenId)) this.lastUsedAtMs.set(tokenId, atMs);
    }
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.flush();
  }
}
