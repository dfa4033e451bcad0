import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { openPool } from '../../db/pool.ts';
import { createBody, createRestMerchant, type RestMerchant } from '../../testing/rest.ts';
import { call } from '../../testing/rest-client.ts';
import { anyBody, type GeneratedBody } from './generated-bodies.ts';

// Set these for more runs, or to repeat a failure: fast-check prints its seed and path.
const RUNS: { [transport: string]: number } = { 'our own server': 10_000, 'next start': 1_000 };
const RUNS_ELSEWHERE = 1_000;
const MERCHANTS = 24;
const AT_ONCE = 8;

const pool = openPool(inject('contractDatabaseUrl'), 4);
const merchants: RestMerchant[] = [];

beforeAll(async () => {
  // Each merchant has its own rate limit.
  for (let count = 0; count < MERCHANTS; count++) merchants.push(await createRestMerchant(pool));
});
afterAll(() => pool.end());

type Created = { invoice_id: string; [field: string]: unknown };

const CALLBACK = `SELECT convert_from(c.body, 'UTF8') AS body FROM callbacks c WHERE c.invoice_id = $1`;

/** An accepted body must come back unchanged, both in the answer and in the callback's bytes. */
async function expectUnchanged(
  sent: string,
  answerText: string,
  cancel: (id: string) => Promise<number>,
): Promise<void> {
  const body = JSON.parse(sent);
  const { data } = JSON.parse(answerText) as { data: Created };
  const { invoice_id: id, invoice_url: _url, status: _status, created_at: _at, ...fields } = data;
  const merchantData = body.merchant_data ?? null;
  for (const [name, value] of Object.entries(fields)) {
    expect(value).toEqual(name === 'merchant_data' ? merchantData : body[name]);
  }
  expect(await cancel(id)).toBe(200);
  const { rows } = await pool.query<{ body: string }>(CALLBACK, [id]);
  const text = rows[0]?.body ?? '';
  const callback = JSON.parse(text);
  expect(callback.positions).toEqual(
    body.positions.map(({ title, amount, currency }: Created) => ({ title, amount, currency })),
  );
  expect(callback.merchant_data ?? null).toEqual(merchantData);
  for (const name of ['amount', 'currency', 'description', 'merchant_transaction_id']) {
    expect(callback[name]).toEqual(body[name]);
  }
  // The text must be the same, not only the value; so the order of keys is the same too.
  const written = answerText.match(/"merchant_data":(.*),"end_date":\d+,"created_at"/s)?.[1];
  if (merchantData !== null) expect(text).toContain(`"merchant_data":${written}`);
}

describe.each(inject('transports'))('$name', ({ name, origin }) => {
  const numRuns = RUNS[name] ?? RUNS_ELSEWHERE;
  let used = 0;
  const counts = { accepted: 0, refused: 0 };

  async function judge({ path, bytes, contentType }: GeneratedBody): Promise<void> {
    used += 1;
    const credentials = merchants[used % MERCHANTS]?.sandbox;
    const options = { credentials, headers: { 'content-type': contentType } };
    const answer = await call(`${origin}/api/sandbox${path}`, { ...options, body: bytes });
    if (answer.status === 200) {
      counts.accepted += 1;
      const cancel = async (id: string) =>
        (
          await call(`${origin}/api/sandbox/invoice/cancel`, {
            credentials,
            body: { invoice_id: id },
          })
        ).status;
      // A byte order mark before the JSON means nothing, and a reader may skip it (RFC 8259, 8.1).
      await expectUnchanged(new TextDecoder().decode(bytes), answer.text, cancel);
      return;
    }
    counts.refused += 1;
    expect([404, 409, 413, 422]).toContain(answer.status);
    if (answer.status === 422) {
      const { detail } = answer.json as { detail: { loc: unknown[]; msg: string; type: string }[] };
      expect(detail.length).toBeGreaterThan(0);
      for (const { loc, msg, type } of detail) {
        expect(['body', 'header']).toContain(loc[0]);
        expect(msg).toBeTypeOf('string');
        expect(type).toMatch(/^[a-z_]+$/);
      }
    }
  }

  test(`of ${numRuns} generated bodies none is answered 5xx, and every accepted one comes back`, async () => {
    const batch = fc.array(
      anyBody(() => createBody()),
      { minLength: AT_ONCE, maxLength: AT_ONCE },
    );
    await fc.assert(
      fc.asyncProperty(batch, async (bodies) => {
        await Promise.all(bodies.map(judge));
      }),
      { numRuns: numRuns / AT_ONCE },
    );
    // The generator must produce both accepted and refused bodies.
    expect(counts.accepted).toBeGreaterThan(numRuns / 10);
    expect(counts.refused).toBeGreaterThan(numRuns / 10);
  });
});
