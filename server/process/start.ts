import { applyMigrations } from '../db/migrate.ts';
import { openPool } from '../db/pool.ts';
import { reasonOf } from '../lib/errors.ts';
import { gatewayLock, takeLock } from '../lib/process-lock.js';
import { checkSecretsKey } from '../operating/secrets-key.ts';
import { inDataDir, makeDataDir } from '../settings/data-dir.ts';
import { rememberPublicUrl } from '../settings/public-url-file.ts';
import { childEnvironment, projectRoot, type Settings, settings } from '../settings/settings.ts';
import { WORKER_FLAGS } from '../worker/flags.ts';
import { buildWhenStale } from './build.ts';
import { type SupervisedChild, superviseChild } from './child.ts';
import { superviseDatabase } from './database.ts';
import { ensureDemoMerchant } from './demo-merchant.ts';
import { dismissEmbedded } from './embedded-postgres/embedded.ts';
import { localOrigin, waitUntilHealthy, whyPortIsUnusable } from './readiness.ts';
import { createShutdown, type Shutdown } from './shutdown.ts';
import { watchSources } from './source-watch.ts';
import { createSteps, type Steps } from './steps.ts';
import { welcome } from './welcome.ts';

// `npm start` and, with `--dev`, `npm run dev`: starts everything that a gateway needs on one
// machine and keeps it running. Each process can also run alone: `npm run web`, `npm run worker`.

// Longer than each process allows itself, so that only a hanging one is cut off.
const WEB_STOPS_WITHIN_MS = 15_000;
const WORKER_STOPS_WITHIN_MS = 20_000;
// A first start that fails this many times in a row will not succeed later.
const HOPELESS_AFTER = 3;
const HEALTHY_WITHIN_MS = 120_000;

type Context = { current: Settings; isDevelopment: boolean; steps: Steps; shutdown: Shutdown };

/** Refuses before anything starts if another gateway is in the way. */
async function claimPlace({ current, shutdown }: Context): Promise<void> {
  const { dataDir, port, host, metricsPort } = current;
  if (metricsPort === port) {
    // The worker would take the port first, and its health would pass for the web's.
    throw new Error(
      `The settings PORT and METRICS_PORT must differ where one machine runs both, but are ${port}.`,
    );
  }
  makeDataDir(dataDir);
  const lockFile = gatewayLock(dataDir);
  const lock = inDataDir(dataDir, () => takeLock(lockFile));
  if (!lock.taken) {
    throw new Error(
      `A gateway already runs on ${dataDir} (process ${lock.holderPid}). End that one first, ` +
        'or give this one a place of its own: DATA_DIR=.data-2 PORT=3001 npm start\n' +
        `If that process is no gateway, remove ${lockFile} instead.`,
    );
  }
  shutdown.add({ stop: async () => lock.release(), kill: () => lock.release() });
  const reason = await whyPortIsUnusable(port, host);
  if (reason) throw new Error(reason);
  inDataDir(dataDir, () => rememberPublicUrl(dataDir, current.publicUrl));
}

/** The database's address, asked for at each start of a process. */
async function provideDatabase(context: Context, onMoved: () => void): Promise<() => string> {
  const { current, steps, shutdown } = context;
  const given = current.databaseUrl;
  if (given !== null) return () => given;
  const { dataDir } = current;
  const starting = steps.run('PostgreSQL', () =>
    superviseDatabase({ dataDir, say: steps.say, onMoved, signal: shutdown.signal }),
  );
  // Registered before the start is over: a Ctrl-C meanwhile must not leave it behind.
  const stop = async () => (await starting.catch(() => null))?.stop();
  shutdown.add({ stop, kill: () => dismissEmbedded(dataDir) });
  return (await starting).url;
}

/** The key is checked before the demo merchant's secrets are sealed with it. */
async function checkKey(databaseUrl: string): Promise<void> {
  const pool = openPool(databaseUrl, 1);
  try {
    await checkSecretsKey(pool);
  } finally {
    await pool.end();
  }
}

function startChild(
  context: Context,
  part: {
    name: string;
    flags?: readonly string[];
    file: string;
    stopsWithinMs: number;
    databaseUrl: () => string;
  },
): SupervisedChild {
  const { current, isDevelopment, steps, shutdown } = context;
  const child = superviseChild({
    name: part.name,
    args: [...(part.flags ?? []), '--import', 'tsx', part.file],
    environment: () => ({
      // A terminal shows only what needs attention; a setting shows more.
      LOG_LEVEL: 'warn',
      ...childEnvironment({
        NODE_ENV: isDevelopment ? 'development' : 'production',
        DATABASE_URL: part.databaseUrl(),
        PUBLIC_URL: current.publicUrl,
        NEXT_MANUAL_SIG_HANDLE: 'true',
      }),
    }),
    cwd: projectRoot(),
    say: steps.say,
  });
  shutdown.add({ stop: () => child.stop(part.stopsWithinMs), kill: child.kill });
  return child;
}

async function start(context: Context): Promise<void> {
  const { current, isDevelopment, steps, shutdown } = context;
  await claimPlace(context);
  const children: SupervisedChild[] = [];
  const restartAll = (): void => {
    for (const child of children) child.restart();
  };
  const databaseUrl = await provideDatabase(context, restartAll);
  await steps.run('migrations', () => applyMigrations(databaseUrl()));
  await checkKey(databaseUrl());
  const demo = current.demoMerchant
    ? await steps.run('demo merchant', () =>
        ensureDemoMerchant(databaseUrl(), current.dataDir, new Date()),
      )
    : null;
  if (!isDevelopment) await steps.run('production build', () => buildWhenStale(shutdown.signal));
  if (shutdown.signal.aborted) return;

  // Parts end in reverse order: web first, so that its last work reaches the worker.
  const common = { databaseUrl };
  const worker = startChild(context, {
    ...common,
    name: 'worker',
    flags: WORKER_FLAGS,
    file: 'server/worker/worker.ts',
    stopsWithinMs: WORKER_STOPS_WITHIN_MS,
  });
  const web = startChild(context, {
    ...common,
    name: 'web',
    file: 'server/web/http.ts',
    stopsWithinMs: WEB_STOPS_WITHIN_MS,
  });
  children.push(worker, web);
  const origin = localOrigin(current.port, current.host);
  await steps.run('web and worker', () =>
    waitUntilHealthy(origin, {
      withinMs: HEALTHY_WITHIN_MS,
      tell: (last) => steps.say(`Still waiting for it to be healthy: ${last}`),
      signal: shutdown.signal,
      isHopeless: () => children.some((child) => child.failures() >= HOPELESS_AFTER),
    }),
  );
  if (isDevelopment) {
    watchSources(projectRoot(), { web: web.restart, worker: worker.restart });
  }
  steps.say(welcome(current.publicUrl, demo));
}

const steps = createSteps(process.stdout);
const shutdown = createShutdown(steps.say);
try {
  const isDevelopment = process.argv.includes('--dev');
  await start({ current: settings(), isDevelopment, steps, shutdown });
} catch (error) {
  if (!shutdown.signal.aborted) {
    steps.say(`\n${reasonOf(error)}`);
    await shutdown.end(1);
  }
}
