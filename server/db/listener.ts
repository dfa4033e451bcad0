import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

export type ListenerOptions = {
  connectionString: string;
  channel: string;
  /** What PostgreSQL calls the connection. */
  applicationName: string;
  /** Called for each notification, and once after every connect. */
  onNotify: () => void;
  /** Called whenever a connection was lost, or none could be made. */
  onError: (error: unknown) => void;
  /** How often the connection is asked whether it is alive; 10 seconds if left out. */
  heartbeatEveryMs?: number;
  /** How soon it has to answer; 5 seconds if left out. */
  heartbeatTimeoutMs?: number;
};

const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 2_000;
const CONNECT_TIMEOUT_MS = 5_000;
// A connection that went silent looks like one on which nothing happens.
const BEAT_EVERY_MS = 10_000;
const BEAT_WITHIN_MS = 5_000;
/** Shorter than whoever ends this process waits for it. */
const CLOSE_WITHIN_MS = 2_000;

/** `pg` waits for its peer to close as well, which one that went silent never does. */
async function close(client: pg.Client): Promise<void> {
  const limit = setTimeout(() => client.connection.stream.destroy(), CLOSE_WITHIN_MS);
  await client.end().catch(() => undefined);
  clearTimeout(limit);
}

/**
 * Listens on a connection of its own (a pooled one would lose its LISTEN) and
 * connects again whenever it breaks. What was notified meanwhile is lost, hence
 * the call after every connect.
 */
export class Listener {
  private client: pg.Client | null = null;
  private readonly ended = new AbortController();
  private readonly running: Promise<void>;

  constructor(options: ListenerOptions) {
    this.running = this.run(options);
  }

  async stop(): Promise<void> {
    this.ended.abort();
    if (this.client) await close(this.client);
    await this.running;
  }

  private async run(options: ListenerOptions): Promise<void> {
    const { signal } = this.ended;
    let pauseMs = FIRST_PAUSE_MS;
    while (!signal.aborted) {
      try {
        await this.listen(options, () => {
          pauseMs = FIRST_PAUSE_MS;
        });
      } catch (error) {
        if (!signal.aborted) options.onError(error);
      }
      await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
      pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS);
    }
  }

  /** One connection's life: rejects when it has ended, whatever ended it. */
  private async listen(options: ListenerOptions, onUp: () => void): Promise<never> {
    const client = new pg.Client({
      connectionString: options.connectionString,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: options.heartbeatTimeoutMs ?? BEAT_WITHIN_MS,
      keepAlive: true,
      application_name: options.applicationName,
    });
    const ended = new Promise<never>((_, reject) => {
      client.once('end', () => reject(new Error('the connection of a listener ended')));
      client.on('error', reject);
    });
    // It may reject while the connect below is still awaited.
    ended.catch(() => undefined);
    client.on('notification', options.onNotify);
    this.client = client;
    let heartbeats: NodeJS.Timeout | undefined;
    try {
      // Ended while it connects, `pg` leaves the connect unsettled.
      await Promise.race([client.connect(), ended]);
      await client.query(`LISTEN ${client.escapeIdentifier(options.channel)}`);
      onUp();
      options.onNotify();
      const silent = new Promise<never>((_, reject) => {
        heartbeats = setInterval(
          () => client.query('SELECT').catch(reject),
          options.heartbeatEveryMs ?? BEAT_EVERY_MS,
        );
      });
      return await Promise.race([ended, silent]);
    } finally {
      clearInterval(heartbeats);
      await close(client);
    }
  }
}
