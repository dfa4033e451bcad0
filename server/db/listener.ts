import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

export type ListenerOptions = {
  connectionString: string;
  channel: string;
  /** The connection's name in PostgreSQL. */
  applicationName: string;
  /** Called for each notification, and once after every connect. */
  onNotify: () => void;
  /** Called whenever a connection is lost or cannot be made. */
  onError: (error: unknown) => void;
  /** How often the connection is checked; 10 seconds by default. */
  heartbeatEveryMs?: number;
  /** How soon it has to answer; 5 seconds by default. */
  heartbeatTimeoutMs?: number;
};

const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 2_000;
const CONNECT_TIMEOUT_MS = 5_000;
// A connection that went silent looks like an idle one.
const BEAT_EVERY_MS = 10_000;
const BEAT_WITHIN_MS = 5_000;
/** Shorter than the time that a process has to end. */
const CLOSE_WITHIN_MS = 2_000;

/** `pg` also waits for its peer to close, which a silent peer never does. */
async function close(client: pg.Client): Promise<void> {
  const limit = setTimeout(() => client.connection.stream.destroy(), CLOSE_WITHIN_MS);
  await client.end().catch(() => undefined);
  clearTimeout(limit);
}

/**
 * Listens on its own connection (a pooled one would lose its LISTEN) and reconnects whenever it
 * breaks. Notifications in between are lost, hence the call after every connect.
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

  /** The life of one connection: rejects once it has ended, for any reason. */
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
      // `pg` leaves the connect unsettled if the connection ends meanwhile.
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
