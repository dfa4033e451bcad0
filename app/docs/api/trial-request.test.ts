import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { childEnvironment } from '#server/settings/settings.ts';
import { parseCreateRequest } from '#server/wire/create-request.ts';
import { ENVELOPE_ERRORS } from '../_content/api-errors.ts';
import { docsGroups } from '../_content/pages.ts';
import { readPage } from '../_markdown/read-page.ts';
import { operations } from './operations.ts';
import {
  credentialsFault,
  curlCommand,
  errorsAddress,
  freshBody,
  trialHeaders,
} from './trial-request.ts';

const NOW_MS = 1_795_278_000_000;
const create = operations('').find(({ id }) => id === 'createInvoice')?.bodyExample ?? {};
const seed = { invoiceId: 'inv_1', nowMs: NOW_MS, random: 'a-b', hostname: 'pay.example' };

test('the example is renewed into a create that the gateway takes', () => {
  const text = freshBody(create, seed);
  expect(parseCreateRequest(Buffer.from(text), 'application/json', NOW_MS)).toMatchObject({
    ok: true,
    value: { merchantTransactionId: 'order-a-b', endDateMs: NOW_MS + 3_600_000 },
  });
  const { callback_url } = JSON.parse(freshBody(create, { ...seed, hostname: 'localhost' }));
  expect(callback_url).toBe('http://localhost:4000/callback');
});

test('the invoice made last is the one that is asked about, paid and cancelled', () => {
  expect(JSON.parse(freshBody({ invoice_id: 'inv_example', outcome: 'lost_card' }, seed))).toEqual({
    invoice_id: 'inv_1',
    outcome: 'approved',
  });
});

test('the command for a shell sends the body as it stands, and holds no token', () => {
  const body = `{"description": "Ada's $HOME \`x\` \\\\"}`;
  const request = { method: 'POST', address: '/api/sandbox/invoice/create', body } as const;
  const command = curlCommand('https://pay.example', request, 'mer_1');
  const shown = execFileSync('sh', ['-c', `curl() { printf '%s\\n' "$@"; }; ${command}`], {
    env: childEnvironment({ API_TOKEN: 'of-the-shell' }),
  }).toString();
  expect(shown.trimEnd().split('\n')).toEqual([
    '-s',
    'https://pay.example/api/sandbox/invoice/create',
    '-H',
    'Authorization: Bearer of-the-shell',
    '-H',
    'X-Merchant: mer_1',
    '-H',
    'Content-Type: application/json',
    '--data-raw',
    body,
  ]);
});

test('what no header can hold is told by name before anything is sent', () => {
  const visitor = { merchantId: 'mer_1', token: 'gw_sandbox_1', invoiceId: '' };
  expect(credentialsFault(visitor)).toBeNull();
  expect(credentialsFault({ ...visitor, merchantId: 'mer_…' })).toBe(
    'The merchant id cannot hold “…”. Copy it whole.',
  );
  for (const odd of ['а', 'é', ' ', '😀']) {
    const told = `The token cannot hold “${odd}”. Copy it whole.`;
    expect(credentialsFault({ ...visitor, token: `gw_${odd}` })).toBe(told);
  }
});

test('a GET has no body and no type', () => {
  const visitor = { merchantId: 'mer_1', token: 't', invoiceId: '' };
  expect(trialHeaders(visitor, false)).toEqual({
    Authorization: 'Bearer t',
    'X-Merchant': 'mer_1',
  });
  const command = curlCommand('', { method: 'GET', address: '/x', body: null }, '');
  expect(command).not.toMatch(/data|Content-Type/);
});

test('every status that is explained leads to its section of the errors page', async () => {
  const page = docsGroups('en')
    .flatMap(({ pages }) => pages)
    .find(({ slug }) => slug === 'errors');
  const headings = page ? (await readPage(page, 'en')).headings : [];
  for (const status of new Set([422, ...ENVELOPE_ERRORS.map((error) => error.status)])) {
    const heading = headings.find(({ text }) => text.includes(String(status)));
    expect(errorsAddress(status)).toBe(`/docs/errors#${heading?.id}`);
  }
  expect(errorsAddress(418)).toBe('/docs/errors');
});
