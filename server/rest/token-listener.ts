import type { Logger } from 'pino';
import { Listener, type ListenerOptions } from '../db/listener.ts';
import type { TokenCache } from './token-cache.ts';

/**
 * Clears the cache at every NOTIFY `token_changed`, on its own connection.
 *
 * The cache stays empty while that connection is down, so that every request asks the database. The
 * log reports the beginning and the end of an outage, but no attempts in between.
 */
export class TokenListener {
  private readonly cache: TokenCache;
  private readonly listener: Listener;
  /** Resolves when the cache may be used, or when the first attempt has failed. */
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
      // This is called after every connect as well.
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
