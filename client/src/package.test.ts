import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { installClient } from '../../e2e/express-shop.ts';
import { type SmallGateway, startSmallGateway } from '../../e2e/small-gateway.ts';
import { childEnvironment, projectRoot } from '../../server/settings/settings.ts';

const run = promisify(execFile);
const SLOW_MS = 120_000;
const PACKAGE = 'payment-gateway-client';

const NODENEXT = ['--module', 'nodenext'];
/** The older module resolution, which this compiler no longer has under its name, `node`. */
const WITHOUT_EXPORTS =
  '--module esnext --moduleResolution bundler --resolvePackageJsonExports false'.split(' ');

let gateway: SmallGateway;
let folder: string;

beforeAll(async () => {
  gateway = await startSmallGateway();
  folder = await mkdtemp(path.join(tmpdir(), 'gateway-client-'));
  await installClient(folder);
}, SLOW_MS);

afterAll(async () => {
  await gateway.close();
  await rm(folder, { recursive: true, force: true });
});

/** Compiles a merchant's program; returns the compiler's messages, if any. */
async function compile(
  name: string,
  text: string,
  { modules = NODENEXT, extension = 'ts' } = {},
): Promise<string> {
  const file = `${name}.${extension}`;
  await writeFile(path.join(folder, file), text);
  const options = [
    '--strict',
    '--exactOptionalPropertyTypes',
    ...modules,
    '--target',
    'es2022',
    '--types',
    '',
  ];
  const files = ['--lib', 'es2022,dom', '--skipLibCheck', 'false', file];
  const compiler = path.join(projectRoot(), 'node_modules', '.bin', 'tsc');
  const result = await run(compiler, [...options, ...files], { cwd: folder }).catch(
    (error: { stdout: string }) => error,
  );
  return result.stdout;
}

const PROGRAM = `
import { GatewayClient, STATUS } from '${PACKAGE}';
import { verifyCallback, type VerifiedCallback } from '${PACKAGE}/callback';
import { GatewayError, InvalidRequestError } from '${PACKAGE}/errors';
import type { InvoiceCreated } from '${PACKAGE}/contract';

declare const process: { argv: string[] };
const [baseUrl = '', merchantId = '', token = ''] = process.argv.slice(2);
const notSet: undefined = undefined;
const settings = { timeoutMs: notSet, maxAttempts: notSet, backOffMs: notSet, fetch: notSet };
const client = new GatewayClient({ baseUrl, merchantId, token, ...settings });
const url = 'https://shop.example/';
const order = {
  amount: 1500,
  currency: 'USD' as const,
  description: 'Order 1042',
  end_date: Date.now() + 3_600_000,
  positions: [{ title: 'Two tickets', amount: 1500, currency: 'USD' as const }],
  merchant_transaction_id: 'order-1042',
  success_url: url,
  error_url: url,
  callback_url: url,
};
const invoice: InvoiceCreated = await client.createInvoice(order, { idempotencyKey: notSet, signal: notSet });
const { status } = await client.sandbox.pay(invoice.invoice_id, { outcome: 'approved' });

function inWords(error: GatewayError): string {
  if (error instanceof InvalidRequestError) return error.faults.map(({ type }) => type).join();
  return error.code;
}
const told = await client.createInvoice({ ...order, amount: 0 }).catch(inWords);
const refused: VerifiedCallback | string = await verifyCallback({
  body: '{}',
  headers: {},
  secrets: 'whsec_AAAA',
  toleranceMs: notSet,
  nowMs: notSet,
}).catch(inWords);
console.log(JSON.stringify({ id: invoice.invoice_id, paid: status === STATUS.PAID, told, refused }));
`;

test(
  'the packed client compiles under strict settings and works against the gateway',
  async () => {
    expect(await compile('program', PROGRAM)).toBe('');
    const args = ['program.js', gateway.baseUrl, gateway.merchant.id, gateway.token];
    const { stdout } = await run(process.execPath, args, { cwd: folder });
    const { id, ...rest } = JSON.parse(stdout);
    expect(rest).toEqual({ paid: true, told: 'greater_than', refused: 'not_genuine' });
    const sql = 'SELECT status, merchant_transaction_id AS name FROM invoices WHERE id = $1';
    const { rows } = await gateway.database.pool.query(sql, [id]);
    expect(rows).toEqual([{ status: 'PAID', name: 'order-1042' }]);
  },
  SLOW_MS,
);

test(
  'its types are found where a compiler does not read the package’s exports',
  async () => {
    expect(await compile('older', PROGRAM, { modules: WITHOUT_EXPORTS })).toBe('');
  },
  SLOW_MS,
);

test(
  'a program in CommonJS compiles with the modules that the README names, and not with those it warns of',
  async () => {
    const readme = await readFile(path.join(projectRoot(), 'client', 'README.md'), 'utf8');
    expect(readme).toContain('set `module` to `nodenext`');
    expect(readme).toContain('`node16` refuses ES modules there (TS1479)');
    const program = `import { STATUS } from '${PACKAGE}';\nexport const paid: 2 = STATUS.PAID;\n`;
    const common = { extension: 'cts' };
    expect(await compile('common', program, common)).toBe('');
    const older = { ...common, modules: ['--module', 'node16'] };
    expect(await compile('common', program, older)).toContain('error TS1479');
  },
  SLOW_MS,
);

test(
  'the command in the package drives an invoice, with its settings from the environment',
  async () => {
    const program = path.join(folder, 'node_modules', '.bin', PACKAGE);
    const env = childEnvironment({
      GATEWAY_BASE_URL: gateway.baseUrl,
      GATEWAY_MERCHANT_ID: gateway.merchant.id,
      GATEWAY_TOKEN: gateway.token,
    });
    const { stdout } = await run(program, ['trigger', 'expired', '--json'], { env });
    expect(JSON.parse(stdout)).toMatchObject({ status: 3 });
    const wrong = run(program, ['listen', '--forward-to', 'nowhere'], { env });
    await expect(wrong).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^error: --forward-to must be like http:.*\n$/),
    });
  },
  SLOW_MS,
);

// The shop's code around the README's samples.
const AROUND = `
declare const process: { env: { [name: string]: string | undefined } };
declare const order: { id: string; payUntil?: number; refundId: string };
declare function saveOrder(changed: typeof order): Promise<void>;
declare const invoiceId: string;
declare const midnight: number;
declare function readCursor(): Promise<string | null>;
declare function saveCursor(cursor: string | null): Promise<void>;
declare function handle(event: import('${PACKAGE}/contract').Event): Promise<void>;
declare const body: Uint8Array;
declare const headers: Headers;
`;
const OPENED = `declare const gateway: import('${PACKAGE}').GatewayClient;\n`;

test(
  'the samples of the README compile under strict settings',
  async () => {
    const file = path.join(folder, 'node_modules', PACKAGE, 'README.md');
    const samples = [...(await readFile(file, 'utf8')).matchAll(/^```ts\n(.*?)^```$/gms)];
    expect(samples).toHaveLength(5);
    for (const [at, [, text = '']] of samples.entries()) {
      const around = text.includes('const gateway =') ? AROUND : AROUND + OPENED;
      expect(await compile(`sample-${at}`, around + text)).toBe('');
    }
  },
  SLOW_MS,
);

test('no command that we write has npx look for the package in a registry', async () => {
  for (const file of ['README.md', 'client/README.md']) {
    const text = await readFile(path.join(projectRoot(), file), 'utf8');
    const commands = text.match(/npx .*payment-gateway-client/g) ?? [];
    expect(commands.length).toBeGreaterThan(0);
    expect(commands.filter((each) => !each.startsWith('npx --no-install '))).toEqual([]);
  }
});

const MISTAKES = [
  "client.createInvoice({ ...order, amount: '15.00' });",
  "client.sandbox.pay('inv_1', { outcome: 'aproved' });",
  'client.readStatus({});',
];

test(
  'what the contract does not allow does not compile',
  async () => {
    const head = `import type { GatewayClient } from '${PACKAGE}';\nimport type { InvoiceCreateRequest } from '${PACKAGE}/contract';\ndeclare const client: GatewayClient; declare const order: InvoiceCreateRequest;\n`;
    const said = await compile('mistakes', head + MISTAKES.join('\n'));
    for (const line of [4, 5, 6]) expect(said).toContain(`mistakes.ts(${line},`);
  },
  SLOW_MS,
);

test('the package has no dependencies, its types, its README and nothing else in it', async () => {
  const installed = path.join(folder, 'node_modules', PACKAGE);
  const manifest = JSON.parse(await readFile(path.join(installed, 'package.json'), 'utf8'));
  expect(manifest.dependencies).toBeUndefined();
  const files = await readdir(installed, { recursive: true });
  expect(files.filter((file) => /\.test\.|tsconfig|\.tgz$/.test(file))).toEqual([]);
  for (const name of ['client', 'callback', 'errors', 'contract']) {
    expect(files).toContain(`dist/${name}.js`);
    expect(files).toContain(`dist/${name}.d.ts`);
  }
  expect(files).toContain('README.md');
});
