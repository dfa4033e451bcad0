import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { applyMigrations } from '#server/db/migrate.ts';
import { openPool } from '#server/db/pool.ts';
import { startEmbedded } from '#server/process/embedded-postgres/embedded.ts';
import { type StandInPorts, standInSettings } from '#server/testing/acquirers/stand-ins.ts';
import { type OpenedMerchant, openMerchant } from '#server/testing/merchants.ts';
import { freePort } from '#server/testing/ports.ts';
import { isHealthy, until } from './processes/processes.ts';

/** A journey's knowledge of the gateway under test; plain data. */
export type GatewayUnderTest = {
  origin: string;
  databaseUrl: string;
  dataDir: string;
  merchant: OpenedMerchant;
  /** The port where a test may be the gateway's OpenID Connect provider. */
  oidcPort: number;
  /** Where a test may be the acquirers to which the gateway sends buyers. */
  acquirerPorts: StandInPorts;
};

/** The name of the gateway under test at that provider. */
export const OIDC_CLIENT_ID = 'journeys';

const HEALTHY_WITHIN_MS = 60_000;
const VARIABLE = 'GATEWAY_UNDER_TEST';

/** The gateway of the global setup: for tests, which run in other processes. */
export function gatewayUnderTest(): GatewayUnderTest {
  const text = process.env[VARIABLE];
  if (!text) throw new Error('No gateway runs: the global setup has not been there.');
  return JSON.parse(text) as GatewayUnderTest;
}

function startProcess(file: string, variables: Record<string, string>): ChildProcess {
  const child = spawn(process.execPath, ['--import', 'tsx', file], {
    env: { ...process.env, ...variables },
    // The channel ends the process with the test run, however that ends.
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  child.once('exit', (code) => {
    if (code !== 0 && code !== null) process.stderr.write(`${file} ended with code ${code}\n`);
  });
  return child;
}

function stopProcess(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    child.once('exit', () => resolve());
    child.kill('SIGTERM');
  });
}

/**
 * Starts another `web` of the gateway under test, on its data, with other settings.
 *
 * @returns its address, and a function that ends it
 */
export async function startAnotherWeb(
  { databaseUrl, dataDir }: GatewayUnderTest,
  settings: Record<string, string>,
): Promise<{ origin: string; stop: () => Promise<void> }> {
  const port = String(await freePort());
  const origin = `http://localhost:${port}`;
  const child = startProcess('server/web/http.ts', {
    NODE_ENV: 'production',
    PORT: port,
    PUBLIC_URL: origin,
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    LOG_LEVEL: 'error',
    ...settings,
  });
  const stop = () => stopProcess(child);
  try {
    await until('a healthy web', HEALTHY_WITHIN_MS, () => isHealthy(origin));
  } catch (error) {
    await stop();
    throw error;
  }
  return { origin, stop };
}

/**
 * Starts a whole gateway from the production build: a temporary PostgreSQL, `web` and `worker`, a
 * merchant. Callbacks may go to this machine.
 *
 * @returns a function that ends it
 */
export async function startGateway(): Promise<() => Promise<void>> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'gateway-e2e-'));
  const postgres = await startEmbedded({ dataDir, durability: 'throw-away' });
  const databaseUrl = postgres.url;
  await applyMigrations(databaseUrl);
  const port = String(await freePort());
  const origin = `http://localhost:${port}`;
  const oidcPort = await freePort();
  const acquirerPorts = {
    payme: await freePort(),
    click: await freePort(),
    multicard: await freePort(),
    stripe: await freePort(),
    yookassa: await freePort(),
  };
  // The processes unseal the secrets made here: both read the key in the folder.
  process.env.DATA_DIR = dataDir;
  const pool = openPool(databaseUrl, 1);
  const merchant = await openMerchant(pool, {
    name: 'Journey shop',
    ownerEmail: 'owner@example.com',
    actor: { type: 'operator', id: null, label: 'journeys' },
    now: new Date(),
  });
  await pool.end();
  const variables = {
    NODE_ENV: 'production',
    PORT: port,
    PUBLIC_URL: origin,
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    CALLBACK_NETWORK: 'local',
    LOG_LEVEL: 'error',
    OIDC_ISSUER: `http://localhost:${oidcPort}`,
    OIDC_CLIENT_ID,
    OIDC_CLIENT_SECRET: 'known-to-both',
    OIDC_NAME: 'Journey ID',
    ...standInSettings(acquirerPorts),
  };
  const children = ['server/web/http.ts', 'server/worker/worker.ts'].map((file) =>
    startProcess(file, variables),
  );
  const stop = async (): Promise<void> => {
    await Promise.all(children.map(stopProcess));
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    await until('a healthy gateway', HEALTHY_WITHIN_MS, () => isHealthy(origin));
  } catch (error) {
    await stop();
    throw error;
  }
  process.env[VARIABLE] = JSON.stringify({
    origin,
    databaseUrl,
    dataDir,
    merchant,
    oidcPort,
    acquirerPorts,
  } satisfies GatewayUnderTest);
  return stop;
}
