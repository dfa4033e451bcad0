import { expect, test } from 'vitest';
import type { Queryable } from '../db/pool.ts';
import type { FieldFault } from '../merchants/api-request-list.ts';
import { grantTenant } from '../merchants/tenant.ts';
import { createLogger } from '../observability/log.ts';
import { createBody } from '../testing/rest.ts';
import { parseCreateRequest } from '../wire/create-request.ts';
import { validationBody } from '../wire/envelope.ts';
import { describeExchange, type Exchanged } from './request-description.ts';
import { RequestJournal } from './request-journal.ts';

const NOW_MS = 1_800_000_000_000;

/** A create that is valid except for `faults` NULs under keys that JSON must escape. */
function createWithNuls(character: string, depth: number, faults: number): string {
  const inner = Object.fromEntries(Array.from({ length: faults }, (_, i) => [`f${i}`, '\0']));
  let unknown: object = inner;
  for (let i = 0; i < depth; i++) unknown = { [character.repeat(128)]: unknown };
  return JSON.stringify({ ...createBody({ end_date: NOW_MS + 60_000 }), unknown });
}

function refused(body: string): Exchanged {
  const parsed = parseCreateRequest(Buffer.from(body), 'application/json', NOW_MS);
  return {
    tenant: grantTenant('mer_1', 'sandbox'),
    tokenId: 'tok_1',
    at: new Date(NOW_MS),
    requestId: 'r0',
    request: {
      method: 'POST',
      path: '/api/sandbox/invoice/create',
      query: new URLSearchParams(),
    },
    status: 422,
    durationMs: 1,
    body: Buffer.from(body),
    answer: parsed.ok ? '' : validationBody(parsed.detail),
  };
}

const faultsOf = (exchanged: Exchanged): { text: string; faults: FieldFault[] } => {
  const text = describeExchange(exchanged).faults ?? '';
  return { text, faults: JSON.parse(text) as FieldFault[] };
};

test.each([
  ['quotes', '"'],
  ['what JSON writes as six', '\u0001'],
])(
  'of a fault under 62 long keys of %s the beginning of its place is kept, and its name',
  (_what, character) => {
    const { text, faults } = faultsOf(refused(createWithNuls(character, 62, 1)));
    expect(text.length).toBeLessThanOrEqual(8 * 1024);
    const [fault] = faults;
    expect(fault?.loc.slice(0, 3)).toEqual(['body', 'unknown', character.repeat(128)]);
    expect(fault?.loc.slice(-2)).toEqual(['…', 'f0']);
    expect(fault?.type).toBe('value_error');
  },
);

test('as many faults are kept as fit, from the first on, and twenty at most', () => {
  const long = faultsOf(refused(createWithNuls('"', 10, 50)));
  expect(long.text.length).toBeLessThanOrEqual(8 * 1024);
  const names = long.faults.map(({ loc }) => loc.at(-1));
  expect(names).toEqual(names.map((_, index) => `f${index}`));
  expect(names.length).toBeGreaterThan(2);
  expect(names.length).toBeLessThan(20);
  expect(faultsOf(refused(createWithNuls('x', 1, 50))).faults).toHaveLength(20);
});

const fiveHundred = (one: Exchanged): Exchanged[] =>
  Array.from({ length: 500 }, (_, i) => ({ ...one, requestId: `r${i}` }));

/** The request ids of each statement that a flush sends, and the length of the longest. */
async function flushOf(requests: Exchanged[]) {
  const statements: string[][] = [];
  let longest = 0;
  const db = {
    query: async ({ values: [rows] }: { values: [string] }) => {
      longest = Math.max(longest, rows.length);
      const sent = JSON.parse(rows) as { requestId: string }[];
      statements.push(sent.map(({ requestId }) => requestId));
      return { rows: [] };
    },
  };
  const journal = new RequestJournal(db as unknown as Queryable, createLogger('silent'));
  for (const request of requests) journal.note(request);
  await journal.stop();
  return { statements, longest };
}

test('a flush is divided by its length: 500 of the longest faults are no one statement', async () => {
  const requests = fiveHundred(refused(createWithNuls('"', 62, 1)));
  const { statements, longest } = await flushOf(requests);
  expect(statements.flat()).toEqual(requests.map(({ requestId }) => requestId));
  expect(statements.length).toBeGreaterThan(1);
  // The character is a quote within JSON text: each of the 256 Ki characters may become two.
  expect(longest).toBeLessThan(768 * 1024);
});

test('500 ordinary refusals are one statement', async () => {
  const body = JSON.stringify({ ...createBody(), amount: -1, end_date: NOW_MS + 60_000 });
  const { statements } = await flushOf(fiveHundred(refused(body)));
  expect(statements.map(({ length }) => length)).toEqual([500]);
});
