import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { childEnvironment, projectRoot } from '#server/settings/settings.ts';
import { TEST_SECRET, until } from '#server/testing/callbacks.ts';
import { freePort, isListening } from '#server/testing/ports.ts';
import { createBody, createRestMerchant } from '#server/testing/rest.ts';
import { providePhp } from '#server/testing/samples/php.ts';
import {
  expectItKeepsTheContract,
  expectItReadsNoLongBody,
  isForgeryTaken,
  NO_SECRETS,
} from '../../e2e/endpoint-contract.ts';
import { type SmallGateway, startSmallGateway } from '../../e2e/small-gateway.ts';
import { readSamples, type SampleName } from './samples.ts';

// Compiling Go's net/http for the first time takes long on a busy machine.
const SLOW_MS = 240_000;
/** The columns of code in the documentation on a desktop, whose tabs are four columns wide. */
const COLUMNS_OF_A_PAGE = 83;

type Command = { program: string; args: (file: string, port: number) => string[] };

const php = await providePhp();

const COMMANDS: Record<string, Command> = {
  curl: { program: 'sh', args: (file) => [file] },
  'Node.js': { program: process.execPath, args: (file) => [file] },
  Python: { program: 'python3', args: (file) => [file] },
  Go: { program: 'go', args: (file) => ['run', file] },
  PHP: {
    program: php.program,
    args: (file, port) => (file.includes('receive') ? ['-S', `127.0.0.1:${port}`, file] : [file]),
  },
};

/** The reason why a language's samples cannot run here; empty where they can. */
function reasonAgainst(language: string): string {
  if (language === 'PHP') return php.missing;
  const program = language === 'curl' ? 'curl' : (COMMANDS[language]?.program ?? '');
  try {
    execFileSync(program, [language === 'Go' ? 'version' : '--version'], { stdio: 'ignore' });
    return '';
  } catch {
    return `no ${program} on this machine`;
  }
}

const LANGUAGES = Object.keys(COMMANDS).map((language) => {
  const missing = reasonAgainst(language);
  return { language, here: !missing, unless: missing ? ` (not run: ${missing})` : '' };
});

let gateway: SmallGateway;
let child: ChildProcess | null = null;

beforeAll(async () => {
  gateway = await startSmallGateway();
});

async function endChild(): Promise<void> {
  if (child && child.exitCode === null) {
    const ended = once(child, 'exit');
    // `go run` has a child process, so the whole group ends.
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    await ended;
  }
  child = null;
}

afterEach(endChild);

afterAll(() => gateway.close());

/** Starts a sample in its language and a folder; its environment holds the sample's values. */
async function start(
  name: SampleName,
  language: string,
  variables: Record<string, string>,
  folder = projectRoot(),
) {
  const samples = await readSamples(name, { baseUrl: 'http://localhost:1', merchantId: 'mer_1' });
  const sample = samples.find((each) => each.language === language);
  const command = COMMANDS[language];
  if (!sample || !command) throw new Error(`there is no ${name} in ${language}`);
  // The file runs as /samples serves it, unedited.
  const file = path.join(projectRoot(), 'public', 'samples', sample.file);
  child = spawn(command.program, command.args(file, Number(variables.PORT)), {
    // A sample's output has to appear at once, even on a machine that buffers it.
    env: childEnvironment({
      GOTOOLCHAIN: 'local',
      GOFLAGS: '',
      PYTHONUNBUFFERED: '',
      ...variables,
    }),
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd: folder,
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

describe('the sample that creates an invoice', () => {
  for (const { language, here, unless } of LANGUAGES) {
    test.runIf(here)(
      `makes one in ${language}${unless}`,
      async () => {
        const { baseUrl, merchant, token } = gateway;
        const variables = { BASE_URL: baseUrl, MERCHANT_ID: merchant.id, API_TOKEN: token };
        const { child: running, output } = await start('create-invoice', language, variables);
        const [code] = await once(running, 'close');
        expect(output()).toMatch(/inv_[0-9a-z]{35}/);
        expect(output()).toContain(`${gateway.origin}/pay/inv_`);
        expect(code).toBe(0);
        const [invoiceId] = /inv_[0-9a-z]{35}/.exec(output()) ?? [];
        const { rows } = await gateway.database.pool.query(
          'SELECT amount_minor::int AS amount, currency FROM invoices WHERE id = $1',
          [invoiceId],
        );
        expect(rows).toEqual([{ amount: 1500, currency: 'USD' }]);
      },
      SLOW_MS,
    );

    test.runIf(here)(
      `says in ${language} which variable is not set${unless}`,
      async () => {
        const variables = { BASE_URL: 'http://localhost:1', MERCHANT_ID: 'mer_1', API_TOKEN: 'x' };
        for (const name of Object.keys(variables)) {
          const lacking = { ...variables, [name]: '' };
          const { child: running, output } = await start('create-invoice', language, lacking);
          const [code] = await once(running, 'close');
          expect(output()).toMatch(new RegExp(`\\b${name}:? is not set\n`));
          expect(code).not.toBe(0);
        }
      },
      SLOW_MS,
    );
  }
});

type Credentials = { id: string; headers: Record<string, string>; token: string };

async function newMerchant(): Promise<Credentials> {
  const { id, sandbox } = await createRestMerchant(gateway.database.pool);
  return { id, headers: sandbox, token: sandbox.authorization.slice('Bearer '.length) };
}

/** Posts as the merchant's server; returns the answer's data. */
async function post(merchant: Credentials, address: string, body: object) {
  const response = await fetch(gateway.baseUrl + address, {
    method: 'POST',
    headers: { ...merchant.headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(200);
  return (await response.json()).data;
}

/** Waits until so many events can be read: other tests' open transactions hold them back. */
async function showEvents(merchant: Credentials, count: number): Promise<void> {
  await until(async () => {
    const response = await fetch(`${gateway.baseUrl}/event/list`, { headers: merchant.headers });
    return (await response.json()).data.events.length >= count;
  });
}

describe('the sample that catches up by the events', () => {
  for (const { language, here, unless } of LANGUAGES.filter(
    ({ language }) => language !== 'curl',
  )) {
    test.runIf(here)(
      `is level after a day without callbacks in ${language}${unless}`,
      async () => {
        const merchant = await newMerchant();
        const { id: MERCHANT_ID, token: API_TOKEN } = merchant;
        const variables = { BASE_URL: gateway.baseUrl, MERCHANT_ID, API_TOKEN };
        const folder = await mkdtemp(path.join(tmpdir(), 'catch-up-'));
        const catchUp = async () => {
          const { child: running, output } = await start('catch-up', language, variables, folder);
          const [code] = await once(running, 'close');
          expect(output()).toMatch(/The books are level\.\n$/);
          expect(code).toBe(0);
          const books = JSON.parse(await readFile(path.join(folder, 'books.json'), 'utf8'));
          return { books, lines: output().split('\n').length - 2 };
        };
        const create = async () =>
          (await post(merchant, '/invoice/create', createBody())).invoice_id;
        const [paid, canceled, left] = [await create(), await create(), await create()];
        await showEvents(merchant, 3);
        const before = await catchUp();
        expect(before.lines).toBe(3);
        expect(Object.keys(before.books.invoices).sort()).toEqual([paid, canceled, left].sort());

        await post(merchant, '/test/invoice/pay', { invoice_id: paid });
        const refund = { invoice_id: paid, refund_transaction_id: 'refund-1', amount: 500 };
        const { refund_id: refundId } = await post(merchant, '/invoice/refund', refund);
        await post(merchant, '/invoice/cancel', { invoice_id: canceled });
        await showEvents(merchant, 7);
        const { books, lines } = await catchUp();
        expect(lines).toBe(4);
        expect(books.invoices).toMatchObject({
          [paid]: { type: 'invoice.paid', data: { status: 2, amount: 1500 } },
          [canceled]: { data: { status: 4 } },
          [left]: { data: { status: 1 } },
        });
        const refunded = { invoice_id: paid, data: { status: 2, amount: 500, currency: 'USD' } };
        expect(books.refunds).toMatchObject({ [refundId]: refunded });

        expect(await catchUp()).toEqual({ books, lines: 0 });
        await rm(folder, { recursive: true });
      },
      SLOW_MS,
    );
  }
});

describe('the sample that receives callbacks', () => {
  for (const { language, here, unless } of LANGUAGES.filter(
    ({ language }) => language !== 'curl',
  )) {
    test.runIf(here)(
      `keeps the contract in ${language} and refuses a wrong signature${unless}`,
      async () => {
        const port = await freePort();
        // The secret has the spaces that a reader selects and pastes with it.
        const variables = { PORT: String(port), WEBHOOK_SECRET: ` ${TEST_SECRET} ` };
        const { output } = await start('receive-callback', language, variables);
        await until(() => isListening(port), SLOW_MS / 2);
        await expectItKeepsTheContract(gateway, port);
        expect(output()).toContain('msg_test_');
        // PHP's own server reads all of a request before it calls the sample.
        if (language !== 'PHP') await expectItReadsNoLongBody(port);
      },
      SLOW_MS,
    );

    test.runIf(here)(
      `takes nothing in ${language} without a secret${unless}`,
      async () => {
        for (const secret of NO_SECRETS) {
          const port = await freePort();
          const variables = {
            PORT: String(port),
            ...(secret !== null && { WEBHOOK_SECRET: secret }),
          };
          const { child: running, output } = await start('receive-callback', language, variables);
          const hasEnded = () => running.exitCode !== null;
          await until(async () => hasEnded() || (await isListening(port)), SLOW_MS / 4);
          expect(hasEnded() || !(await isForgeryTaken(port)), `${secret}`).toBe(true);
          await until(() => output().includes('WEBHOOK_SECRET'));
          await endChild();
        }
      },
      SLOW_MS,
    );
  }
});

const python = LANGUAGES.find(({ language }) => language === 'Python');

test.runIf(python?.here)('the receiver in Python ends at Ctrl-C without a complaint', async () => {
  const port = await freePort();
  const variables = { PORT: String(port), WEBHOOK_SECRET: TEST_SECRET };
  const { child: running, output } = await start('receive-callback', 'Python', variables);
  await until(() => isListening(port), SLOW_MS / 4);
  const ended = once(running, 'close');
  running.kill('SIGINT');
  expect(await ended).toEqual([0, null]);
  expect(output()).toBe('');
});

test('every sample names the merchant’s values in its head and has nothing left to fill in', async () => {
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
    expect(text).toContain(' export BASE_URL=https://pay.example/api/sandbox\n');
    expect(text).toContain(' export MERCHANT_ID=mer_1\n');
  }
  for (const { text } of [...create, ...(await readSamples('receive-callback', values))]) {
    expect(text).not.toMatch(/\{\w+_(url|id)\}|mer_…/);
  }
});

test('no line of a sample is longer than a page shows without breaking it', async () => {
  const all = await readdir(path.join(projectRoot(), 'public', 'samples'));
  const long = await Promise.all(
    all.map(async (file) => {
      const text = await readFile(path.join(projectRoot(), 'public', 'samples', file), 'utf8');
      const widths = text.split('\n').map((line) => line.replaceAll('\t', '    ').length);
      return Math.max(...widths) > COLUMNS_OF_A_PAGE ? [file] : [];
    }),
  );
  expect(all.length).toBeGreaterThan(10);
  expect(long.flat()).toEqual([]);
});
