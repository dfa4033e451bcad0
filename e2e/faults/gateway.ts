import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { applyMigrations } from '#server/db/migrate.ts';
import { openPool } from '#server/db/pool.ts';
import { type EmbeddedServer, startEmbedded } from '#server/process/embedded-postgres/embedded.ts';
import { freePort } from '#server/testing/ports.ts';

/** Whether concurrent requests share statements. */
export type Coalesce = 'on' | 'off';

type Part = 'web' | 'worker';
const ENTRIES: Record<Part, string> = {
  web: 'server/web/http.ts',
  worker: 'server/worker/worker.ts',
};

/** The real processes on their own PostgreSQL, to be killed and restarted. */
export class FaultyGateway {
  readonly dataDir = mkdtempSync(join(tmpdir(), 'gateway-faults-'));
  readonly logFile = join(this.dataDir, 'processes.log');
  private postgres: EmbeddedServer | null = null;
  private readonly children = new Map<Part, ChildProcess>();
  private port = 0;
  private databaseUrl = '';
  readonly coalesce: Coalesce;
  private readonly settings: Record<string, string>;
  /** Processes that ended without being killed. */
  readonly endedAlone: string[] = [];

  /** @param given.settings more of them, for every process */
  constructor(given: { coalesce: Coalesce; settings: Record<string, string> }) {
    this.coalesce = given.coalesce;
    this.settings = given.settings;
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get url(): string {
    return this.databaseUrl;
  }

  /** fsync stays on, so that data survive as they do in production. */
  async start(): Promise<void> {
    this.postgres = await startEmbedded({ dataDir: this.dataDir });
    this.databaseUrl = this.postgres.url;
    await applyMigrations(this.databaseUrl);
    this.port = await freePort();
  }

  /** The settings of every process of this gateway, except its port. */
  get variables(): Record<string, string> {
    return {
      NODE_ENV: 'production',
      HOST: '127.0.0.1',
      PUBLIC_URL: `http://localhost:${this.port}`,
      DATABASE_URL: this.databaseUrl,
      DATA_DIR: this.dataDir,
      RATE_LIMIT_PER_SECOND: '1000000',
      RATE_LIMIT_BURST: '1000000',
      CALLBACK_NETWORK: 'local',
      COALESCE: this.coalesce,
      LOG_LEVEL: 'warn',
      ...this.settings,
    };
  }

  /** @param databasePort another port for PostgreSQL (a proxy's) */
  startPart(part: Part, databasePort?: number): void {
    const url = new URL(this.databaseUrl);
    if (databasePort !== undefined) url.port = String(databasePort);
    const log = openSync(this.logFile, 'a');
    const child = spawn(process.execPath, ['--import', 'tsx', ENTRIES[part]], {
      env: {
        ...process.env,
        ...this.variables,
        PORT: String(this.port),
        DATABASE_URL: url.href,
      },
      stdio: ['ignore', log, log],
    });
    // The child has its own copy.
    closeSync(log);
    child.once('exit', (code, signal) => {
      if (signal !== 'SIGKILL') this.endedAlone.push(`${part} (${code ?? signal})`);
    });
    this.children.set(part, child);
  }

  /** kill -9; resolves when the process is gone. */
  async killPart(part: Part): Promise<void> {
    const child = this.children.get(part);
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await gone;
  }

  /** Stops PostgreSQL as `pg_ctl stop -m immediate` does, and starts it again. */
  async crashPostgres(): Promise<void> {
    if (!this.postgres) throw new Error('PostgreSQL is not running');
    process.kill(this.postgres.pid, 'SIGQUIT');
    await this.postgres.untilGone();
    this.postgres = await startEmbedded({ dataDir: this.dataDir });
    if (this.postgres.url !== this.databaseUrl) throw new Error('PostgreSQL moved to another port');
  }

  async untilHealthy(withinMs = 60_000): Promise<void> {
    const deadline = Date.now() + withinMs;
    for (;;) {
      const answer = await fetch(`${this.origin}/api/health`).catch(() => null);
      await answer?.body?.cancel();
      if (answer?.status === 200) return;
      if (Date.now() > deadline) throw new Error(`not healthy; see ${this.logFile}`);
      await sleep(100);
    }
  }

  /** Queries PostgreSQL over a separate connection. */
  async withDatabase<T>(ask: (pool: Pool) => Promise<T>): Promise<T> {
    const pool = openPool(this.databaseUrl, 1);
    try {
      return await ask(pool);
    } finally {
      await pool.end();
    }
  }

  query<R extends Record<string, unknown>>(text: string, values: unknown[] = []): Promise<R[]> {
    return this.withDatabase(async (pool) => (await pool.query<R>(text, values)).rows);
  }

  async stop(): Promise<void> {
    await Promise.all([this.killPart('web'), this.killPart('worker')]);
    await this.postgres?.stop();
    rmSync(this.dataDir, { recursive: true, force: true });
  }
}
