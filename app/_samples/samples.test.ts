import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { tryEndpoint } from '#server/callbacks/try-endpoint.ts';
import { childEnvironment } from '#server/env.ts';
import { coalescedInvoices } from '#server/invoices/merchant-invoices.ts';
import { createLogger } from '#server/log.ts';
import { grantTenant } from '#server/merchants/tenant.ts';
import { RestHandler } from '#server/rest/handler.ts';
import { answerNodeRequest, restPathOf } from '#server/rest/node-door.ts';
import { TEST_SECRET, testContext, until } from '#server/testing/callbacks.ts';
import { createTestDatabase, type TestDatabase } from '#server/testing/database.ts';
import { createRestMerchant, type RestMerchant } from '#server/testing/rest.ts';
import { readSamples, type SampleName } from './samples.ts';

// Compiling Go's net/http for the first time takes long on a busy machine.
const SLOW_MS = 240_000;

type Command = { program: string; args: (file: string, port: number) => string[] };

const COMMANDS: Record<string, Command> = {
  curl: { program: 'sh', args: (file) => [file] },
  'Node.js': { program: process.execPath, args: (file) => [file] },
  Python: { program: 'python3', args: (file) => ['-u', file] },
  Go: { program: 'go', args: (file) => ['run', file] },
  PHP: {
    program: 'php',
    args: (file, port) => (file.includes('receive') ? ['-S', `127.0.0.1:${port}`, file] : [file]),
  },
};

function isHere(language: string): boolean {
  const program = language === 'curl' ? 'curl' : (COMMANDS[language]?.program ?? '');
  try {
    execFileSync(program, [language === 'Go' ? 'version' : '--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const LANGUAGES = Object.keys(COMMANDS).map((language) => ({ language, here: isHere(language) }));
const missing = (here: boolean) => (here ? '' : ' (cannot be run: it is not on this machine)');

let database: TestDatabase;
let merchant: RestMerchant;
let handler: RestHandler;
let server: Server;
let folder: string;
let child: ChildProcess | null = null;

beforeAll(async () => {
  database = await createTestDatabase();
  merchant = await createRestMerchant(database.pool);
  const log = createLogger('silent');
  const invoices = coalescedInvoices(database.pool);
  const context = {
    db: database.pool,
    invoices,
    publicUrl: 'http://pay',
    clock: () => new Date(),
    log,
  };
  const limits = { rateLimitPerSecond: 200, rateLimitBurst: 1000, failedAuthPerMinute: 300 };
  handler = new RestHandler(context, limits, database.url);
  await handler.ready;
  server = createServer((request, response) => {
    const at = restPathOf(request.url ?? '') ?? '';
    void answerNodeRequest(handler, { request, response, path: at }, 0);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  folder = mkdtempSync(path.join(tmpdir(), 'gateway-samples-'));
});

afterEach(async () => {
  if (child && child.exitCode === null) {
    const ended = once(child, 'exit');
    // `go run` has a child of its own, so the whole group ends.
    process.kill(-(child.pid ?? 0), 'SIGKILL');
    await ended;
  }
  child = null;
});

afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await handler.close();
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

const portOf = (each: Server) => (each.address() as AddressInfo).port;

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const port = portOf(probe);
  probe.close();
  await once(probe, 'close');
  return port;
}

/** Starts a sample in its language; its environment holds what the sample asks for. */
async function start(name: SampleName, language: string, variables: Record<string, string>) {
  const baseUrl = `http://127.0.0.1:${portOf(server)}/api/sandbox`;
  const samples = await readSamples(name, { baseUrl, merchantId: merchant.id });
  const sample = samples.find((each) => each.language === language);
  const command = COMMANDS[language];
  if (!sample || !command) throw new Error(`there is no ${name} in ${language}`);
  const file = path.join(folder, sample.file);
  writeFileSync(file, sample.text);
  child = spawn(command.program, command.args(file, Number(variables.PORT)), {
    env: childEnvironment({ GOTOOLCHAIN: 'local', GOFLAGS: '', ...variables }),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let output = '';
  child.stdout?.on('data', (data) => {
    output += data;
  });
  child.stderr?.on('data', (data) => {
    output += data;
  });
  return { child, output: () => output };
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

describe('the sample that creates an invoice', () => {
  for (const { language, here } of LANGUAGES) {
    test.runIf(here)(
      `makes one in ${language}${missing(here)}`,
      async () => {
        const API_TOKEN = merchant.sandbox.authorization.slice('Bearer '.length);
        const { child: running, output } = await start('create-invoice', language, { API_TOKEN });
        const [code] = await once(running, 'close');
        expect(output()).toMatch(/inv_[0-9a-z]{35}/);
        expect(output()).toContain('http://pay/pay/inv_');
        expect(code).toBe(0);
        const [invoiceId] = /inv_[0-9a-z]{35}/.exec(output()) ?? [];
        const { rows } = await database.pool.query(
          'SELECT amount_minor::int AS amount, currency FROM invoices WHERE id = $1',
          [invoiceId],
        );
        expect(rows).toEqual([{ amount: 1500, currency: 'USD' }]);
      },
      SLOW_MS,
    );
  }
});

describe('the sample that receives callbacks', () => {
  for (const { language, here } of LANGUAGES.filter(({ language }) => language !== 'curl')) {
    test.runIf(here)(
      `keeps the contract in ${language} and refuses a wrong signature${missing(here)}`,
      async () => {
        const port = await freePort();
        const variables = { PORT: String(port), WEBHOOK_SECRET: TEST_SECRET };
        const { output } = await start('receive-callback', language, variables);
        await until(() => isListening(port), SLOW_MS / 2);
        const { sender, keys } = testContext(database.pool);
        const report = await tryEndpoint(grantTenant(merchant.id, 'sandbox'), {
          sender,
          keys,
          url: `http://127.0.0.1:${port}/callback`,
          publicUrl: 'http://pay',
          now: new Date(),
          checkSignature: true,
        });
        await sender.close();
        expect(report.samples.map(({ reason }) => reason)).toEqual([null, null, null]);
        expect(report).toMatchObject({ keepsContract: true, refusesWrongSignature: 'kept' });
        expect(output()).toContain('msg_test_');
      },
      SLOW_MS,
    );
  }
});

test('every sample has the merchant’s values in it and nothing left to fill in', async () => {
  const values = { baseUrl: 'https://pay.example/api/sandbox', merchantId: 'mer_1' };
  const create = await readSamples('create-invoice', values);
  expect(create.map(({ language }) => language)).toEqual([
    'curl',
    'Node.js',
    'PHP',
    'Python',
    'Go',
  ]);
  for (const { text } of create) {
    expect(text).toContain('https://pay.example/api/sandbox/invoice/create');
    expect(text).toContain('mer_1');
  }
  for (const { text } of [...create, ...(await readSamples('receive-callback', values))]) {
    expect(text).not.toMatch(/\{(base_url|merchant_id)\}/);
  }
});
