import type { Logger } from 'pino';
import type { Queryable } from '../db/pool.ts';
import { recordTokenUse, type TokenUse } from '../merchants/token-use.ts';

const FLUSH_EVERY_MS = 10_000;

/** Gathers the last uses of tokens and writes them now and then, never within a request. */
export class TokenUses {
  private last = new Map<string, TokenUse>();
  private readonly db: Queryable;
  private readonly log: Logger;
  private readonly timer: NodeJS.Timeout;

  constructor(db: Queryable, log: Logger) {
    this.db = db;
    this.log = log;
    this.timer = setInterval(() => void this.flush(), FLUSH_EVERY_MS);
    this.timer.unref();
  }

  note(tokenId: string, atMs: number, endpoint: string, address: string): void {
    const last = this.last.get(tokenId);
    if (last === undefined) {
      this.last.set(tokenId, { atMs, endpoint, address });
      return;
    }
    last.atMs = atMs;
    last.endpoint = endpoint;
    last.address = address;
  }

  async flush(): Promise<void> {
    const uses = this.last;
    this.last = new Map();
    try {
      await recordTokenUse(this.db, uses);
    } catch (error) {
      this.keep(uses);
      this.log.warn({ err: error }, 'the last use of tokens could not be written');
    }
  }

  /** Keeps the uses for the next flush, except those of tokens used again meanwhile. */
  private keep(uses: ReadonlyMap<string, TokenUse>): void {
    for (const [tokenId, use] of uses) {
      if (!this.last.has(tokenId)) this.last.set(tokenId, use);
    }
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.flush();
  }
}
