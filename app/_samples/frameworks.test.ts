import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Engine } from 'php-parser';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { childEnvironment, projectRoot } from '#server/settings/settings.ts';
import { TEST_SECRET, until } from '#server/testing/callbacks.ts';
import { createTestDatabase, type TestDatabase } from '#server/testing/database/database.ts';
import { freePort, isListening } from '#server/testing/ports.ts';
import { createRestMerchant, type RestMerchant } from '#server/testing/rest.ts';
import { providePhp } from '#server/testing/samples/php.ts';
import { providePythonPackages } from '#server/testing/samples/python-packages.ts';
import {
  expectItKeepsTheContract,
  expectItReadsNoLongBody,
  isForgeryTaken,
  NO_SECRETS,
} from '../../e2e/endpoint-contract.ts';
import { readSamples } from './samples.ts';

const STARTS_WITHIN_MS = 20_000;
/** Each framework starts once with a secret, and once with each invalid one. */
const ALL_STARTS_WITHIN_MS = (1 + NO_SECRETS.length) * STARTS_WITHIN_MS;

const besideThis = (name: string) => path.join(projectRoot(), 'app', '_samples', name);
const sampleFile = (name: string) => path.join(projectRoot(), 'public', 'samples', name);

const [frameworks, php] = await Promise.all([
  providePythonPackages(besideThis('requirements-frameworks.txt')),
  providePhp(),
]);
const unless = (missing: string) => (missing ? ` (not run: ${missing})` : '');

let database: TestDatabase;
let merchant: RestMerchant;
let child: ChildProcess | null = null;
let server: Server | null = null;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'gateway-frameworks-'));
  database = await createTestDatabase();
  merchant = await createRestMerchant(database.pool);
});

async function endServing(): Promise<void> {
  server?.closeAllConnections();
  server?.close();
  server = null;
  if (child && child.exitCode === null) {
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }
  child = null;
}

afterEach(endServing);

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await database.drop();
});

/** Starts a program that serves a sample; its environment holds the secret, if there is one. */
async function serve(
  program: string,
  args: (port: string) => string[],
  variables: Record<string, string>,
) {
  const port = await freePort();
  const running = spawn(program, args(String(port)), {
    cwd: folder,
    env: childEnvironment({ PORT: String(port), ...variables }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child = running;
  let output = '';
  const keep = (data: Buffer) => {
    output += data;
  };
  running.stdout.on('data', keep);
  running.stderr.on('data', keep);
  const hasEnded = () => running.exitCode !== null;
  await until(async () => hasEnded() || (await isListening(port)), STARTS_WITHIN_MS);
  return { port, hasEnded, output: () => output };
}

/** The part of a sample that reads the secret and refuses what is none. */
function secretReading(name: string): string {
  const text = readFileSync(sampleFile(name), 'utf8');
  const [reading = ''] =
    /^(?:const secret|SECRET) = [\s\S]*?(?=^(?:const )?TOLERANCE_S)/m.exec(text) ?? [];
  return reading.replace('SystemExit', 'ValueError');
}

/**
 * The contents of the variable that a sample is started with to see it refuse them. A sample that
 * reads the secret in the very words of a plain one, which refuses them all, is started without one.
 */
function secretsFor(sample: string, plain: string) {
  const reading = secretReading(sample);
  expect(reading).not.toBe('');
  expect(reading).toBe(secretReading(plain));
  return [null];
}

/** Holds a served sample against the contract, and checks that it needs a secret. */
async function expectServedSampleKeepsIt(
  program: string,
  args: (port: string) => string[],
  {
    variables = {},
    secrets = NO_SECRETS,
  }: { variables?: Record<string, string>; secrets?: (string | null)[] } = {},
): Promise<void> {
  const served = await serve(program, args, { WEBHOOK_SECRET: TEST_SECRET, ...variables });
  expect(served.hasEnded(), served.output()).toBe(false);
  await expectItKeepsTheContract({ database, merchant }, served.port);
  // Express reads to the end and keeps nothing; PHP's own server reads before it calls the sample.
  if (program === 'python3') await expectItReadsNoLongBody(served.port);
  await endServing();
  for (const secret of secrets) {
    const own: Record<string, string> = secret === null ? {} : { WEBHOOK_SECRET: secret };
    const { port, hasEnded } = await serve(program, args, { ...own, ...variables });
    expect(hasEnded() || !(await isForgeryTaken(port)), `${secret}`).toBe(true);
    await endServing();
  }
}

const ofPackages = { PYTHONPATH: frameworks.folder };

function hasPython(): boolean {
  try {
    execFileSync('python3', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

describe('the sample that verifies callbacks keeps the contract and refuses a wrong signature', {
  timeout: ALL_STARTS_WITHIN_MS,
}, () => {
  test('in Express', async () => {
    const secrets = secretsFor('receive-express.mjs', 'receive-callback.mjs');
    const file = sampleFile('receive-express.mjs');
    await expectServedSampleKeepsIt(process.execPath, () => [file], { secrets });
  });

  test('in a route handler of Next.js', async () => {
    vi.stubEnv('WEBHOOK_SECRET', TEST_SECRET);
    const log = vi.spyOn(console, 'log').mockReturnValue();
    const { POST } = await import(pathToFileURL(sampleFile('receive-next.ts')).href);
    server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const headers = request.headers as Record<string, string>;
      const body = Buffer.concat(chunks);
      // Next answers like this when the route throws.
      const answer = await POST(
        new Request('http://shop/', { method: 'POST', headers, body }),
      ).catch(() => new Response(null, { status: 500 }));
      response.writeHead(answer.status, { 'content-type': 'application/json' });
      response.end(Buffer.from(await answer.arrayBuffer()));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    await expectItKeepsTheContract({ database, merchant }, port);
    expect(log).toHaveBeenCalled();
    for (const secret of NO_SECRETS) {
      vi.stubEnv('WEBHOOK_SECRET', secret ?? undefined);
      expect(await isForgeryTaken(port), `${secret}`).toBe(false);
    }
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
  });

  test.runIf(!frameworks.missing)(`in FastAPI${unless(frameworks.missing)}`, async () => {
    copyFileSync(sampleFile('receive-fastapi.py'), path.join(folder, 'receive_fastapi.py'));
    const command = ['-m', 'uvicorn', 'receive_fastapi:app', '--port'];
    const secrets = secretsFor('receive-fastapi.py', 'receive-callback.py');
    await expectServedSampleKeepsIt('python3', (port) => [...command, port], {
      variables: ofPackages,
      secrets,
    });
  });

  test.runIf(!frameworks.missing)(`in Django${unless(frameworks.missing)}`, async () => {
    copyFileSync(sampleFile('receive-django.py'), path.join(folder, 'views.py'));
    writeFileSync(
      path.join(folder, 'urls.py'),
      'import views\nfrom django.urls import path\n\nurlpatterns = [path("callback", views.callback)]\n',
    );
    // A new project also has the middleware that would refuse a post without a form's token.
    writeFileSync(
      path.join(folder, 'settings.py'),
      'SECRET_KEY = "of a test"\nALLOWED_HOSTS = ["*"]\nROOT_URLCONF = "urls"\nMIDDLEWARE = ["django.middleware.csrf.CsrfViewMiddleware"]\n',
    );
    const command = ['-m', 'django', 'runserver', '--noreload', '--settings=settings'];
    const secrets = secretsFor('receive-django.py', 'receive-callback.py');
    await expectServedSampleKeepsIt('python3', (port) => [...command, port], {
      variables: ofPackages,
      secrets,
    });
  });

  test.runIf(!php.missing)(
    `in Laravel, whose classes are stood in for${unless(php.missing)}`,
    async () => {
      const sample = path.join(folder, 'api.php');
      // Laravel serves routes/api.php under /api/callback; this app has no prefix.
      copyFileSync(sampleFile('receive-laravel.php'), sample);
      const host = besideThis('laravel-host.php');
      await expectServedSampleKeepsIt(php.program, (port) => ['-S', `127.0.0.1:${port}`, host], {
        variables: { SAMPLE: sample },
      });
    },
  );
});

// These facts can be checked on a machine without the framework.
describe('without its framework', { timeout: ALL_STARTS_WITHIN_MS }, () => {
  const files = frameworks.missing && hasPython() ? ['fastapi', 'django'] : [];
  test.each(files)('the sample for %s verifies by what the contract says', async (framework) => {
    const args = [besideThis('verification.py'), sampleFile(`receive-${framework}.py`)];
    await expectServedSampleKeepsIt('python3', (port) => [...args, port]);
  });

  test.each(['create-invoice.php', 'receive-callback.php', 'receive-laravel.php'])(
    '%s is PHP that parses',
    (name) => {
      const engine = new Engine({ parser: { suppressErrors: false } });
      const text = readFileSync(sampleFile(name), 'utf8');
      expect(() => engine.parseCode(text, name)).not.toThrow();
      expect(() => engine.parseCode(text.replace(');', ')'), name)).toThrow();
    },
  );
});

test('all seven stand on the page, each with the framework’s way to the raw body', async () => {
  const samples = await readSamples('verify-callback', { baseUrl: 'x', merchantId: 'y' });
  const ways = samples.map(({ language, text }) => [
    language,
    /express\.raw\(|request\.body\?\.getReader\(\)|request\.stream\(\)|request\.body {2}#|getContent\(\)|php:\/\/input|io\.ReadAll/.exec(
      text,
    )?.[0],
  ]);
  expect(ways).toEqual([
    ['Express', 'express.raw('],
    ['Next.js', 'request.body?.getReader()'],
    ['FastAPI', 'request.stream()'],
    ['Django', 'request.body  #'],
    ['Laravel', 'getContent()'],
    ['PHP', 'php://input'],
    ['Go', 'io.ReadAll'],
  ]);
});
