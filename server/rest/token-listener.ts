import pg from 'pg';
import type { Logger } from 'pino';
import type { TokenCache } from './token-cache.ts';

const FIRST_RETRY_MS = 100;
const MAX_RETRY_MS = 5_000;

/**
 * Drops the cache at every NOTIFY `token_changed`, on a connection of its own.
 *
 * While that connection is down the cache stays empty, so that every request
 * asks the database.
 */
export class TokenListener {
  private readonly databaseUrl: string;
  private readonly cache: TokenCache;
  private readonly log: Logger;
  private client: pg.Client | null = null;
  private retry: NodeJS.Timeout | null = null;
  private retryMs = FIRST_RETRY_MS;
  private isStopped = false;

  constructor(databaseUrl: string, cache: TokenCache, log: Logger) {
    this.databaseUrl = databaseUrl;
    this.cache = cache;
    this.log = log;
  }

  /** Resolves when the cache may be used, or the first try has failed. */
  async start(): Promise<void> {
    const client = new pg.Client({
      connectionString: this.databaseUrl,
      keepAlive: true,
      connectionTimeoutMillis: MAX_RETRY_MS,
      application_name: 'payment-gateway tokens',
    });
    this.client = client;
    client.on('error', (error) => this.lost(client, error));
    client.on('end', () => this.lost(client, null));
    client.on('notification', () => this.cache.clear());
    try {
      await client.connect();
      await client.query('LISTEN token_changed');
    } catch (error) {
      this.lost(client, error);
      return;
    }
    if (this.client !== client) return;
    this.retryMs = FIRST_RETRY_MS;
    this.cache.listening();
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    if (this.retry !== null) clearTimeout(this.retry);
    const { client } = this;
    this.client = null;
    this.cache.deaf();
    await client?.end().catch(() => undefined);
  }

  private lost(client: pg.Client, error: unknown): void {
    if (this.client !== client) return;
    this.client = null;
    this.cache.deaf();
    client.end().catch(() => undefined);
    if (this.isStopped) return;
    this.log.warn({ err: error }, 'the token listener lost its connection; tokens are not cached');
    this.retry = setTimeout(() => void this.start(), this.retryMs);
    this.retry.unref();
    this.retryMs = Math.min(this.retryMs * 2, MAX_RETRY_MS);
  }
}
