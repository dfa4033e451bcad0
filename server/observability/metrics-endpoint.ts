import { createHash, timingSafeEqual } from 'node:crypto';
import type pg from 'pg';
import { getPool } from '../db/pool.ts';
import { isLoopbackUrl } from '../lib/formats.ts';
import { withTimeout } from '../lib/timeout.ts';
import { renderBacklog, renderProcesses } from '../operating/backlog-metrics.ts';
import type { Settings } from '../settings/settings.ts';
import { joinMetrics } from './join-metrics.ts';
import { log } from './log.ts';
import { metrics } from './metrics.ts';

export type MetricsRequest = {
  authorization: string | null;
  /** The caller's network address. */
  address: string;
};

export type MetricsAccess = {
  /** METRICS_TOKEN. */
  token: string | null;
  /** PUBLIC_URL names this machine, so no proxy brings strangers over loopback. */
  isLocal: boolean;
};

export type MetricsAnswer = {
  status: 200 | 401 | 404;
  headers: Record<string, string>;
  body: string;
};

/** Prometheus waits ten seconds, and the counts matter most when the database is silent. */
const DATABASE_LIMIT_MS = 2_000;

const NO_STORE = { 'cache-control': 'no-store' };
const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

function isLoopback(address: string): boolean {
  return address === '::1' || /^(?:::ffff:)?127\.\d+\.\d+\.\d+$/.test(address);
}

/** With a token set, only its bearer may read; otherwise only this machine, if `isLocal`. */
function refusal(request: MetricsRequest, access: MetricsAccess): MetricsAnswer | null {
  const { token, isLocal } = access;
  if (token === null) {
    if (isLocal && isLoopback(request.address)) return null;
    return { status: 404, headers: NO_STORE, body: 'Not found' };
  }
  const given = request.authorization ?? '';
  if (timingSafeEqual(digest(given), digest(`Bearer ${token}`))) return null;
  const headers = { ...NO_STORE, 'www-authenticate': 'Bearer' };
  return { status: 401, headers, body: 'Unauthorized' };
}

/** This process's own counts, in Prometheus's text format. */
export async function reportOf(db: pg.Pool): Promise<string> {
  const { registry, requests, pool } = metrics();
  pool.set({ state: 'max' }, db.options.max);
  pool.set({ state: 'open' }, db.totalCount);
  pool.set({ state: 'idle' }, db.idleCount);
  pool.set({ state: 'waiting' }, db.waitingCount);
  return (await registry.metrics()) + requests.render();
}

async function readInTime(
  render: typeof renderBacklog,
  { db, clock }: { db: pg.Pool; clock: () => Date },
): Promise<string> {
  return await withTimeout(DATABASE_LIMIT_MS, render(db, clock())).catch((err: unknown) => {
    log().warn({ err }, 'part of the metrics could not be read from the database');
    return '';
  });
}

/**
 * The answer to Prometheus at `/api/metrics`: the counts of this process, or of all that share its
 * port, each with its label `process`; and from the database, the live processes and the waiting
 * work. Figures that take longer than two seconds are left out.
 */
export async function answerMetrics(
  request: MetricsRequest,
  access: MetricsAccess,
  database: { db: pg.Pool; clock: () => Date },
): Promise<MetricsAnswer> {
  const { db } = database;
  const refused = refusal(request, access);
  if (refused) return refused;
  const { registry, collect } = metrics();
  const counts = collect === null ? await reportOf(db) : joinMetrics(await collect());
  // One after the other, since each takes a connection.
  const processes = await readInTime(renderProcesses, database);
  const body = counts + processes + (await readInTime(renderBacklog, database));
  return { status: 200, headers: { ...NO_STORE, 'content-type': registry.contentType }, body };
}

/** The same for this process and its settings. */
export function metricsOfProcess(
  request: MetricsRequest,
  { metricsToken, publicUrl }: Pick<Settings, 'metricsToken' | 'publicUrl'>,
): Promise<MetricsAnswer> {
  const access = { token: metricsToken, isLocal: isLoopbackUrl(publicUrl) };
  return answerMetrics(request, access, { db: getPool(), clock: () => new Date() });
}
