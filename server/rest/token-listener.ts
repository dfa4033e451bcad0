import type { Logger } from 'pino';
import { Listener, type ListenerOptions } from '../db/listener.ts';
import type { TokenCache } from './token-cache.ts';

/**
 * Drops the cache at every NOTIFY `token_changed`, on a connection of its own.
 *
 * While that connection is down the cache stays empty, so that every request
 * asks the database. The log tells when that begins and when it ends, and of no try between.
 */
export class TokenListener {
  private readonly cache: TokenCache;
  private readonly listener: Listener;
  /** Resolves when the cache may be used, or the first try has failed. */
  readonly ready: Promise<void>;

  constructor(
    databaseUrl: string,
    cache: TokenCache,
    log: Logger,
    heartbeats: Pick<ListenerOptions, 'heartbeatEveryMs' | 'heartbeatTimeoutMs'> = {},
  ) {
    this.cache = cache;
    let tried: () => void = () => undefined;
    this.ready = new Promise((resolve) => {
      tried = resolve;
    });
    let isLost = false;
    this.listener = new Listener({
      ...heartbeats,
      connectionString: databaseUrl,
      channel: 'token_changed',
      applicationName: 'payment-gateway tokens',
      // Comes after every connect as well.
      onNotify: () => {
        cache.listening();
        if (isLost) log.warn('the token listener is connected again; tokens are cached');
        isLost = false;
        tried();
      },
      onError: (err) => {
        cache.deaf();
        if (!isLost) {
          log.warn({ err }, 'the token listener lost its connection; tokens are not cached');
        }
        isLost = true;
        tried();
      },
    });
  }

  async stop(): Promise<void> {
    await this.listener.stop();
    this.cache.deaf();
  }
}
