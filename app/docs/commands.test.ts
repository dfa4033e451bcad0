import { execFile, execFileSync } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { childEnvironment } from '#server/settings/settings.ts';
import { createBody } from '#server/testing/rest.ts';
import { type SmallGateway, startSmallGateway } from '../../e2e/small-gateway.ts';
import { docsGroups } from './_content/pages.ts';
import { parseDocument } from './_markdown/document.ts';
import { readPageText } from './_markdown/read-page.ts';

const run = promisify(execFile);

type Fence = { page: string; language: string; text: string };

// A translated page has the same programs, to the byte: another test holds it to that.
const pages = docsGroups('en').flatMap((group) => group.pages);
const fences: Fence[] = (
  await Promise.all(
    pages.map(async (page) => {
      const { blocks } = parseDocument(await readPageText(page));
      return blocks.flatMap(({ token }) =>
        token.type === 'code'
          ? [{ page: page.slug, language: token.lang?.split(' ')[0] ?? '', text: token.text }]
          : [],
      );
    }),
  )
).flat();

/** The commands that call the API. */
const COMMANDS = fences.filter(({ text }) => /^curl -s '?\{origin\}\/api\/sandbox\//.test(text));
const hasCurl = (() => {
  try {
    execFileSync('curl', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

let gateway: SmallGateway;

beforeAll(async () => {
  gateway = await startSmallGateway();
});

afterAll(() => gateway.close());

async function createInvoice(merchantTransactionId: string): Promise<string> {
  const { baseUrl, merchant } = gateway;
  const answer = await fetch(`${baseUrl}/invoice/create`, {
    method: 'POST',
    headers: {
      authorization: merchant.sandbox.authorization,
      'x-merchant': merchant.id,
      'content-type': 'application/json',
    },
    body: JSON.stringify(createBody({ merchant_transaction_id: merchantTransactionId })),
  });
  const { data } = (await answer.json()) as { data: { invoice_id: string } };
  return data.invoice_id;
}

test('there are commands on the pages that are about requests', () => {
  const at = new Set(COMMANDS.map(({ page }) => page));
  expect([...at]).toEqual(expect.arrayContaining(['quick-start', 'idempotency', 'testing']));
});

test.runIf(hasCurl).each(COMMANDS)(
  'a command of the page “$page” does what it says',
  async ({ text }) => {
    const { origin, token, merchant } = gateway;
    // The page asks about this order by the merchant's own id.
    const invoiceId = await createInvoice(
      text.includes('order-1042') ? 'order-1042' : crypto.randomUUID(),
    );
    const command = text
      .replaceAll('{origin}', origin)
      .replaceAll('gw_sandbox_…', token)
      .replaceAll('mer_…', merchant.id)
      .replaceAll('inv_…', invoiceId);
    expect(command).not.toContain('…');
    const env = childEnvironment({ API_TOKEN: token });
    const { stdout } = await run('sh', ['-c', command], { env });
    expect(JSON.parse(stdout)).toMatchObject({ result: true, error: null });
  },
);

test('whatever is called JSON is JSON', () => {
  const texts = fences.filter(({ language }) => language === 'json').map(({ text }) => text);
  expect(texts.length).toBeGreaterThan(3);
  for (const text of texts) expect(() => JSON.parse(text), text).not.toThrow();
});

test('the statements that handle a callback once are PostgreSQL, and settle the order', async () => {
  const [statements] = fences.filter(({ language }) => language === 'sql');
  const client = await gateway.database.pool.connect();
  try {
    await client.query(
      'CREATE TEMPORARY TABLE orders (id text, amount_minor bigint, currency text, status text)',
    );
    await client.query(`INSERT INTO orders VALUES ('order-1042', 1500, 'USD', 'open')`);
    await client.query(statements?.text ?? '');
    const { rows } = await client.query('SELECT status FROM orders');
    expect(rows).toEqual([{ status: 'paid' }]);
  } finally {
    client.release();
  }
});
