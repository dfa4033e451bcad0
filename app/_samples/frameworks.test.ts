import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Engine } from 'php-parser';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { childEnvironment, projectRoot } from '#server/env.ts';
import { TEST_SECRET, until } from '#server/testing/callbacks.ts';
import { createTestDatabase, type TestDatabase } from '#server/testing/database.ts';
import { freePort, isListening } from '#server/testing/ports.ts';
import { createRestMerchant, type RestMerchant } from '#server/testing/rest.ts';
import { expectItKeepsTheContract } from '../../e2e/endpoint-contract.ts';
import { readSamples } from './samples.ts';

const STARTS_WITHIN_MS = 20_000;

const sampleFile = (name: string) => path.join(projectRoot(), 'public', 'samples', name);

function canRun(program: string, args: string[]): boolean {
  try {
    execFileSync(program, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

function canImport(name: string): boolean {
  try {
    createRequire(import.meta.url).resolve(name);
    return true;
  } catch {
    return false;
  }
}

const hasPython = canRun('python3', ['--version']);
const pythonKind = (framework: string) =>
  hasPython && canRun('python3', ['-c', `import ${framework}`]) ? framework : 'core';

let database: TestDatabase;
let merchant: RestMerchant;
let child: ChildProcess | null = null;
let server: Server | null = null;

beforeAll(async () => {
  database = await createTestDatabase();
  merchant = await createRestMerchant(database.pool);
});

afterEach(async () => {
  server?.closeAllConnections();
  server?.close();
  server = null;
  if (child && child.exitCode === null) {
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }
  child = null;
});

afterAll(() => database.drop());

/** Starts a program that serves a sample, and waits until it listens. */
async function serve(program: string, args: (port: number) => string[]): Promise<number> {
  const port = await freePort();
  child = spawn(program, args(port), {
    env: childEnvironment({ PORT: String(port), WEBHOOK_SECRET: TEST_SECRET }),
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await until(() => isListening(port), STARTS_WITHIN_MS);
  return port;
}

describe('the sample that verifies callbacks keeps the contract and refuses a wrong signature', () => {
  const hasExpress = canImport('express');
  test.runIf(hasExpress)(
    `in Express${hasExpress ? '' : ' (not run: it is not installed)'}`,
    async () => {
      const port = await serve(process.execPath, () => [sampleFile('receive-express.mjs')]);
      await expectItKeepsTheContract({ database, merchant }, port);
    },
  );

  test('in a route handler of Next.js', async () => {
    vi.stubEnv('WEBHOOK_SECRET', TEST_SECRET);
    const log = vi.spyOn(console, 'log').mockReturnValue();
    const { POST } = await import(pathToFileURL(sampleFile('receive-next.ts')).href);
    server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const headers = request.headers as Record<string, string>;
      const body = Buffer.concat(chunks);
      const answer = await POST(new Request('http://shop/', { method: 'POST', headers, body }));
      response.writeHead(answer.status, { 'content-type': 'application/json' });
      response.end(Buffer.from(await answer.arrayBuffer()));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    await expectItKeepsTheContract({ database, merchant }, (server.address() as AddressInfo).port);
    expect(log).toHaveBeenCalled();
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
  });

  for (const [name, framework] of [
    ['FastAPI', 'fastapi'],
    ['Django', 'django'],
  ] as const) {
    const kind = pythonKind(framework);
    const runs =
      kind === 'core' ? ' (its verification; the framework’s lines are only parsed)' : '';
    test.runIf(hasPython)(`in ${name}${hasPython ? runs : ' (not run: no Python)'}`, async () => {
      const host = path.join(projectRoot(), 'app', '_samples', 'host.py');
      const file = sampleFile(`receive-${framework}.py`);
      await expectItKeepsTheContract(
        { database, merchant },
        await serve('python3', (port) => [host, kind, file, `${port}`]),
      );
    });
  }
});

test.each(['create-invoice.php', 'receive-callback.php', 'receive-laravel.php'])(
  '%s is PHP that parses (running it takes PHP, and Laravel for the last)',
  (name) => {
    const engine = new Engine({ parser: { suppressErrors: false } });
    const text = readFileSync(sampleFile(name), 'utf8');
    expect(() => engine.parseCode(text, name)).not.toThrow();
    expect(() => engine.parseCode(text.replace(');', ')'), name)).toThrow();
  },
);

test('all seven stand on the page, each with the framework’s way to the raw body', async () => {
  const samples = await readSamples('verify-callback', { baseUrl: 'x', merchantId: 'y' });
  const ways = samples.map(({ language, text }) => [
    language,
    /express\.raw\(|arrayBuffer\(\)|await request\.body\(\)|request\.body {2}#|getContent\(\)|php:\/\/input|io\.ReadAll/.exec(
      text,
    )?.[0],
  ]);
  expect(ways).toEqual([
    ['Express', 'express.raw('],
    ['Next.js', 'arrayBuffer()'],
    ['FastAPI', 'await request.body()'],
    ['Django', 'request.body  #'],
    ['Laravel', 'getContent()'],
    ['PHP', 'php://input'],
    ['Go', 'io.ReadAll'],
  ]);
});
