import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { Agent, request, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, inject, test, vi } from 'vitest';
import { openPool } from '../../db/pool.ts';
import { createSigningSecret } from '../../merchants/signing-secrets.ts';
import { deactivateToken } from '../../merchants/tokens.ts';
import { childEnvironment, projectRoot } from '../../settings/settings.ts';
import { insertDue, openShop } from '../../testing/callbacks.ts';
import { signatureOf } from '../../testing/inngest.ts';
import { freePort } from '../../testing/ports.ts';
import { createRestMerchant } from '../../testing/rest.ts';
import { untilHealthy } from '../../testing/transports-setup.ts';

const PATIENCE = { timeout: 20_000 };
const SECRETS_KEY = Buffer.alloc(32).toString('base64');

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

async function startWeb(
  port: number,
  processes = 1,
  more: Record<string, string> = {},
  log: number | 'pipe' = 'pipe',
): Promise<{ child: ChildProcess; output: string[] }> {
  const env = childEnvironment({
    NODE_ENV: 'production',
    PORT: String(port),
    PUBLIC_URL: `http://localhost:${port}`,
    DATABASE_URL: inject('contractDatabaseUrl'),
    SECRETS_KEY,
    LOG_LEVEL: 'fatal',
    WEB_PROCESSES: String(processes),
    ...more,
  });
  const child = spawn(process.execPath, ['--import', 'tsx', 'server/web/http.ts'], {
    env,
    cwd: projectRoot(),
    stdio: ['ignore', log, log, 'ipc'],
  });
  children.push(child);
  const output: string[] = [];
  child.stdout?.on('data', (data: Buffer) => output.push(data.toString()));
  child.stderr?.on('data', (data: Buffer) => output.push(data.toString()));
  return { child, output };
}

async function startHealthy(
  processes = 1,
  more: Record<string, string> = {},
): Promise<{ child: ChildProcess; port: number }> {
  const port = await freePort();
  const { child, output } = await startWeb(port, processes, more);
  await untilHealthy(`http://127.0.0.1:${port}`, child, output);
  return { child, port };
}

const exitOf = async (child: ChildProcess) => (await once(child, 'exit')) as [number, string];

/** A create that the server has begun to read, with an incomplete body. */
async function beginSlowRequest(port: number) {
  const slow = request({ port, method: 'POST', path: '/api/sandbox/invoice/create' });
  slow.setHeader('content-type', 'application/json');
  // The server sends this when it has read the head.
  slow.setHeader('expect', '100-continue');
  slow.flushHeaders();
  await once(slow, 'continue');
  slow.write('{"amount":');
  // Listens from here on, so that a closed connection fails the test at once and under its name.
  return { slow, answered: once(slow, 'response') };
}

/** SIGTERM lets the request in flight end, accepts no more, and exits with 0. */
async function expectOrderlyEnd(child: ChildProcess, port: number): Promise<void> {
  const { slow, answered } = await beginSlowRequest(port);
  const exit = exitOf(child);
  child.kill('SIGTERM');
  await expect
    .poll(() => fetch(`http://127.0.0.1:${port}/api/health`).catch(() => 'refused'), PATIENCE)
    .toBe('refused');
  slow.end('1}');
  const [answer] = await answered;
  expect(answer.statusCode).toBe(401);
  answer.resume();
  expect(await exit).toEqual([0, null]);
}

test('SIGTERM lets the request in flight end, takes no more, and ends with 0', async () => {
  const { child, port } = await startHealthy();
  await expectOrderlyEnd(child, port);
});

test('after SIGTERM an answer says that its connection ends, and so it does', async () => {
  const { child, port } = await startHealthy();
  const socket = connect(port, '127.0.0.1').setEncoding('utf8');
  let text = '';
  socket.on('data', (data: string) => {
    text += data;
  });
  const head = 'Host: x\r\nContent-Type: application/json\r\nContent-Length: 2';
  socket.write(
    `POST /api/sandbox/invoice/create HTTP/1.1\r\n${head}\r\nExpect: 100-continue\r\n\r\n`,
  );
  await expect.poll(() => text).toContain('100 Continue');
  const exit = exitOf(child);
  child.kill('SIGTERM');
  await expect
    .poll(() => fetch(`http://127.0.0.1:${port}/api/health`).catch(() => 'refused'), PATIENCE)
    .toBe('refused');
  socket.write('{}GET /api/sandbox/invoice/status HTTP/1.1\r\nHost: x\r\n\r\n');
  await once(socket, 'end');
  expect(text.match(/HTTP\/1\.1 401 /g)).toHaveLength(2);
  expect(
    text
      .match(/^connection: .+$/gim)
      ?.at(-1)
      ?.toLowerCase(),
  ).toBe('connection: close');
  expect(await exit).toEqual([0, null]);
});

const SIGNING_KEY = `signkey-test-${'ab'.repeat(32)}`;
// The keys are in canonical JSON's order, which Inngest signs.
const EVENT = { data: {}, id: 'evt', name: 'gateway/callbacks.due', ts: 0 };
const CALL = JSON.stringify({
  ctx: { attempt: 0, fn_id: '', run_id: 'run', stack: { current: 0, stack: [] }, use_api: false },
  event: EVENT,
  events: [EVENT],
  steps: {},
  use_api: false,
  version: 2,
});

/** Makes a web deliver due callbacks, as Inngest does; resolves to the answer's status. */
async function callToDeliver(port: number): Promise<number> {
  const fn = 'payment-gateway-deliver-callbacks';
  const answer = await fetch(`http://127.0.0.1:${port}/api/inngest?fnId=${fn}&stepId=step`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-inngest-signature': signatureOf(CALL, { key: SIGNING_KEY, now: new Date() }),
    },
    body: CALL,
  });
  return answer.status;
}

test('SIGTERM lets the callbacks of an Inngest run end, and begins no more', async () => {
  vi.stubEnv('SECRETS_KEY', SECRETS_KEY);
  const pool = openPool(inject('contractDatabaseUrl'), 1);
  const { id: merchantId } = await createRestMerchant(pool);
  const now = new Date();
  const environment = 'production';
  await createSigningSecret(pool, { merchantId, environment, now });
  const held: ServerResponse[] = [];
  let isStopping = false;
  const shop = await openShop((response) => {
    if (isStopping) response.end('{"success":true}');
    else held.push(response);
  });
  await insertDue(pool, { merchantId, environment, url: shop.url, at: now, count: 30 });
  const { child, port } = await startHealthy(1, {
    JOBS_DRIVER: 'inngest',
    INNGEST_SIGNING_KEY: SIGNING_KEY,
    INNGEST_EVENT_KEY: 'test',
  });
  const called = callToDeliver(port);
  // A merchant's limit of callbacks in flight.
  await expect.poll(() => held.length, PATIENCE).toBe(10);
  const exit = exitOf(child);
  child.kill('SIGTERM');
  const refused = () => fetch(`http://127.0.0.1:${port}/api/health`).catch(() => 'refused');
  await expect.poll(refused, PATIENCE).toBe('refused');
  isStopping = true;
  for (const response of held) response.end('{"success":true}');
  expect(await called).toBe(200);
  expect(await exit).toEqual([0, null]);
  // A claim under way brings as many again; a web that went on claiming would reach 30.
  const delivered = shop.received.length;
  expect([10, 20]).toContain(delivered);
  const { rows } = await pool.query(
    `SELECT state::text, attempt_count AS attempts, count(*)::int AS count FROM callbacks
     WHERE merchant_id = $1 GROUP BY 1, 2 ORDER BY 1`,
    [merchantId],
  );
  expect(rows).toEqual([
    { state: 'delivered', attempts: 1, count: delivered },
    { state: 'pending', attempts: 0, count: 30 - delivered },
  ]);
  await shop.close();
  await pool.end();
});

test('the end of its supervisor ends it', async () => {
  const { child } = await startHealthy();
  const exit = exitOf(child);
  child.disconnect();
  expect(await exit).toEqual([0, null]);
});

test('the end of its supervisor ends it, also before it has begun', async () => {
  const { child } = await startWeb(await freePort());
  const exit = exitOf(child);
  child.disconnect();
  expect(await exit).toEqual([0, null]);
});

test.each([1, 2])('%i that find their port in use say so, with exit code 1', async (processes) => {
  const { port } = await startHealthy();
  const { child, output } = await startWeb(port, processes);
  expect(await exitOf(child)).toEqual([1, null]);
  expect(output.join('')).toContain(`Port ${port} is in use by another program.`);
});

/** When each process began, by its number; Prometheus reads it from any of them. */
async function processesOf(port: number): Promise<Map<string, string>> {
  const answer = await fetch(`http://127.0.0.1:${port}/api/metrics`);
  const started = /^process_start_time_seconds\{process="(\d+)"\} (\S+)$/gm;
  const found = [...(await answer.text()).matchAll(started)];
  return new Map(found.map(([, number = '', at = '']) => [number, at]));
}

async function bothProcessesOf(port: number): Promise<Map<string, string>> {
  let found = new Map<string, string>();
  await expect
    .poll(async () => {
      found = await processesOf(port);
      return found.size;
    }, PATIENCE)
    .toBe(2);
  return found;
}

/** The webs under a keeper process. */
function websOf(parent: number): number[] {
  const list = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' });
  return list.split('\n').flatMap((line) => {
    const [pid, ppid, ...command] = line.trim().split(/\s+/);
    return Number(ppid) === parent && command.join(' ').includes('http.ts') ? [Number(pid)] : [];
  });
}

/** Status answers so far, by process and HTTP status, as Prometheus reads them. */
async function answersOf(port: number): Promise<Map<string, number>> {
  const text = await (await fetch(`http://127.0.0.1:${port}/api/metrics`)).text();
  const counts = /^gateway_http_request_duration_seconds_count\{(.*invoice\/status.*)\} (\d+)$/gm;
  return new Map(
    [...text.matchAll(counts)].map(([, labels = '', count]) => {
      const [, status] = /status="(\d+)"/.exec(labels) ?? [];
      const [, number] = /process="(\d+)"/.exec(labels) ?? [];
      return [`${number}: ${status}`, Number(count)];
    }),
  );
}

test('of two processes both refuse a token soon after it was deactivated', async () => {
  const { port } = await startHealthy(2);
  await bothProcessesOf(port);
  const pool = openPool(inject('contractDatabaseUrl'), 1);
  const merchant = await createRestMerchant(pool);
  const ask = async (agent: Agent): Promise<number> => {
    const path = '/api/sandbox/invoice/status?invoice_id=inv_none';
    const asked = request({
      host: '127.0.0.1',
      port,
      path,
      agent,
      headers: { ...merchant.sandbox },
    }).end();
    const [answer] = await once(asked, 'response');
    await once(answer.resume(), 'end');
    return answer.statusCode;
  };
  // An answer leaves out the figures of a process that takes a second to report them.
  const answered = async () => [...(await answersOf(port)).keys()].sort();
  // Either process accepts a new connection, and a kept connection stays with its process.
  const agents: Agent[] = [];
  const askAnew = async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    agents.push(agent);
    await ask(agent);
    return answered();
  };
  await expect.poll(askAnew, PATIENCE).toEqual(['1: 404', '2: 404']);

  const { rows } = await pool.query(
    "SELECT id FROM api_tokens WHERE merchant_id = $1 AND environment = 'sandbox'",
    [merchant.id],
  );
  const token = { merchantId: merchant.id, environment: 'sandbox', tokenId: rows[0].id } as const;
  expect(await deactivateToken(pool, { ...token, now: new Date() })).toBe('deactivated');
  // A token stays known for five seconds unless a web hears of its end; over twice as many requests
  // are answered meanwhile. They are counted, since a stalling machine lets seconds pass without
  // any.
  const known = agents.map(async (agent) => {
    let count = 0;
    for (; (await ask(agent)) !== 401; count++) await sleep(20);
    return count;
  });
  expect(Math.max(...(await Promise.all(known)))).toBeLessThan(100);
  for (const agent of agents) expect(await ask(agent)).toBe(401);
  await expect.poll(answered, PATIENCE).toEqual(['1: 401', '1: 404', '2: 401', '2: 404']);
  for (const agent of agents) agent.destroy();
  await pool.end();
});

test('of two processes one is killed: the other answers, and a new one takes its place', async () => {
  const { child, port } = await startHealthy(2);
  const before = await bothProcessesOf(port);
  const webs = websOf(child.pid ?? 0);
  expect(webs).toHaveLength(2);
  process.kill(webs[0] ?? 0, 'SIGKILL');
  // The keeper has noticed by then; a connection accepted in that moment is lost with the web.
  const another = () => websOf(child.pid ?? 0).some((pid) => !webs.includes(pid));
  await expect.poll(another, PATIENCE).toBe(true);
  for (let count = 0; count < 20; count++) {
    // A new connection each time: the dead process's connections are broken.
    const asked = request({ port, path: '/api/health', agent: false }).end();
    const [answer] = await once(asked, 'response');
    expect(answer.resume().statusCode).toBe(200);
  }
  const after = await bothProcessesOf(port);
  const same = [...before].filter(([number, at]) => after.get(number) === at);
  expect(same).toHaveLength(1);

  await expectOrderlyEnd(child, port);
});

test.each([1, 2])('%i outlive a full disk of the log, and end in order', async (processes) => {
  const port = await freePort();
  const full = openSync('/dev/full', 'w');
  const { child, output } = await startWeb(port, processes, { LOG_LEVEL: 'trace' }, full);
  const answer = async () => (await fetch(`http://127.0.0.1:${port}/pay/none`)).status;
  await untilHealthy(`http://127.0.0.1:${port}`, child, output);
  for (let n = 0; n < 40; n++) expect(await answer()).toBe(404);
  child.kill('SIGTERM');
  expect(await exitOf(child)).toEqual([0, null]);
});
