import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { startBalancer } from '#server/testing/balancer.ts';
import { freePort } from '#server/testing/ports.ts';
import { Client, createMerchants, inLanes, invoiceBody } from './client.ts';
import { contractSuite } from './contract-suite.ts';
import type { FaultyGateway } from './gateway.ts';
import { startReceiver } from './receiver.ts';
import type { Figures, Finding } from './report.ts';

/** The processes. */
export const REPLICAS = ['web A', 'web B', 'worker A', 'worker B'] as const;

const HOUR_MS = 3_600_000;
const LANES = 8;
const TOLD_WITHIN_MS = 60_000;

/** One of several processes of a kind. */
type Replica = { name: string; file: string; port: number; child: ChildProcess };

function startReplica(gateway: FaultyGateway, name: string, port: number): Replica {
  const file = name.startsWith('web') ? 'server/web/http.ts' : 'server/worker/worker.ts';
  const log = openSync(gateway.logFile, 'a');
  const env = {
    ...process.env,
    ...gateway.variables,
    // The contract suite knows this address, and calls from several addresses.
    PUBLIC_URL: 'http://localhost:1',
    TRUSTED_PROXY_HOPS: '1',
    PORT: String(port),
    METRICS_PORT: '',
    // The setting differs from its sibling's: each must understand what the other writes.
    ...(name === 'web B' && { COALESCE: gateway.coalesce === 'on' ? 'off' : 'on' }),
  };
  const child = spawn(process.execPath, ['--import', 'tsx', file], {
    env: file === 'server/worker/worker.ts' ? { ...env, METRICS_PORT: String(port) } : env,
    stdio: ['ignore', log, log],
  });
  // The child has its own copy.
  closeSync(log);
  return { name, file, port, child };
}

async function untilHealthy({ name, port }: Replica): Promise<void> {
  for (let waitedMs = 0; waitedMs < 60_000; waitedMs += 100) {
    const answer = await fetch(`http://127.0.0.1:${port}/api/health`).catch(() => null);
    await answer?.body?.cancel();
    if (answer?.status === 200) return;
    await sleep(100);
  }
  throw new Error(`${name} does not become healthy`);
}

async function kill({ child }: Replica): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await gone;
}

/** The core of the contract as a merchant's server meets it; each step with its status. */
async function keepsContract(client: Client, round: string, url: string): Promise<boolean> {
  const body = invoiceBody(`contract-${round}`, Date.now() + HOUR_MS, url);
  const key = `contract-${round}`;
  const create = (used?: string) => client.once('POST', '/invoice/create', body, used);
  const first = await create(key);
  const id = String(first?.body.data?.invoice_id);
  const paid = await client.once(
    'POST',
    '/invoice/create',
    invoiceBody(`paid-${round}`, Date.now() + HOUR_MS, url),
  );
  const paidId = String(paid?.body.data?.invoice_id);
  const post = (path: string, invoiceId: string) =>
    client.once('POST', path, { invoice_id: invoiceId });
  const steps: [string, unknown, unknown][] = [
    ['create', first?.status, 200],
    ['the same key', (await create(key))?.text, first?.text],
    ['the same transaction id', (await create())?.status, 409],
    [
      'status',
      (await client.once('GET', `/invoice/status?invoice_id=${id}`))?.body.data?.status,
      1,
    ],
    ['cancel', (await post('/invoice/cancel', id))?.body.data?.status, 4],
    ['cancel again', (await post('/invoice/cancel', id))?.status, 200],
    ['pay', (await post('/test/invoice/pay', paidId))?.body.data?.status, 2],
    ['cancel a paid one', (await post('/invoice/cancel', paidId))?.status, 409],
    ['an unknown one', (await post('/invoice/cancel', 'inv_x'))?.status, 404],
    ['no id', (await client.once('POST', '/invoice/cancel', {}))?.status, 422],
  ];
  const broken = steps.filter(([, got, wanted]) => got !== wanted);
  for (const [step, got, wanted] of broken) {
    process.stdout.write(`  ${round}, ${step}: ${String(got)} instead of ${String(wanted)}\n`);
  }
  return broken.length === 0;
}

/**
 * Creates invoices while a process dies.
 *
 * @param onCreated told of each invoice, with the number so far
 * @returns the ids that must reach a final status
 */
async function traffic(
  client: Client,
  round: string,
  url: string,
  { count, onCreated }: { count: number; onCreated: (created: number) => void },
): Promise<string[]> {
  const ids: string[] = [];
  const items = Array.from({ length: count }, (_, i) => i);
  await inLanes(items, LANES, async (i) => {
    const ends = i % 2 === 0 ? HOUR_MS : 3_000;
    const id = await client.create(`${round}-${i}`, () => Date.now() + ends, url);
    ids.push(id);
    onCreated(ids.length);
    if (i % 2 === 0) {
      await client.until(() => client.once('POST', '/invoice/cancel', { invoice_id: id }));
    }
  });
  return ids;
}

/** Kills `victim` after a quarter of `each` invoices. */
async function killUnderWay(
  victim: Replica,
  each: number,
  work: (onCreated: (created: number) => void) => Promise<string[]>,
): Promise<{ created: string[]; wasKilled: boolean }> {
  let wasKilled = false;
  let killing: Promise<void> | null = null;
  const created = await work((soFar) => {
    if (killing !== null || soFar < each / 4) return;
    wasKilled = victim.child.exitCode === null && victim.child.signalCode === null;
    killing = kill(victim);
  });
  await killing;
  return { created, wasKilled };
}

/**
 * Two webs behind a balancer and two workers on one PostgreSQL, each killed in turn while `each`
 * invoices are in progress. The whole contract suite runs on the survivors after each victim in
 * `suiteAfter`.
 */
export async function replicas(
  gateway: FaultyGateway,
  { each, suiteAfter }: { each: number; suiteAfter: readonly string[] },
): Promise<Figures> {
  await Promise.all([gateway.killPart('web'), gateway.killPart('worker')]);
  const started = await Promise.all(
    REPLICAS.map(async (name) => startReplica(gateway, name, await freePort())),
  );
  const receiver = await startReceiver(() => 'accept');
  const webs = started.filter(({ name }) => name.startsWith('web')).map(({ port }) => port);
  const balancer = await startBalancer(webs);
  const findings: Finding[] = [];
  const ids: string[] = [];
  let tests = 0;
  try {
    await Promise.all(started.map(untilHealthy));
    const [merchant] = await createMerchants(gateway, 1);
    if (!merchant) throw new Error('no merchant');
    const client = new Client(balancer, merchant);
    for (const [index, victim] of started.entries()) {
      const { created, wasKilled } = await killUnderWay(victim, each, (onCreated) =>
        traffic(client, victim.name, receiver.url, { count: each, onCreated }),
      );
      findings.push([`${victim.name} was killed while invoices were under way`, wasKilled]);
      ids.push(...created);
      const holds = await keepsContract(client, victim.name, receiver.url);
      findings.push([`the contract holds with ${victim.name} killed`, holds]);
      if (suiteAfter.includes(victim.name)) {
        const at = { origin: balancer.origin, databaseUrl: gateway.url };
        const suite = await contractSuite(`with ${victim.name} killed`, at);
        tests += suite.tests;
        findings.push([`the contract suite passes with ${victim.name} killed`, suite.holds]);
      }
      const again = startReplica(gateway, victim.name, victim.port);
      started[index] = again;
      await untilHealthy(again);
    }
    const deadline = Date.now() + TOLD_WITHIN_MS;
    const untold = () => ids.filter((id) => !receiver.arrivals.get(id)?.accepted);
    while (untold().length > 0 && Date.now() < deadline) await sleep(50);
    findings.push(['every final status was told', untold().length === 0]);
    const odd = ids.filter((id) => (receiver.arrivals.get(id)?.statuses.size ?? 0) > 1);
    findings.push(['no invoice was told two statuses', odd.length === 0]);
    findings.push(['no id was given out twice', new Set(ids).size === ids.length]);
    findings.push(['both webs have answered', balancer.answered.size === 2]);
  } finally {
    await Promise.all([...started.map(kill), balancer.close(), receiver.close()]);
  }
  return {
    title: 'two webs and two workers, each killed once',
    findings,
    figures: { invoices: String(ids.length), ...(tests && { 'contract tests': String(tests) }) },
  };
}
