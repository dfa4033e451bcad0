import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, inject, test } from 'vitest';
import { openPool } from '../../db/pool.ts';
import { createToken, deactivateToken } from '../../merchants/tokens.ts';
import { createRestMerchant, type RestMerchant } from '../../testing/rest.ts';
import { call } from '../../testing/rest-client.ts';

const pool = openPool(inject('contractDatabaseUrl'), 2);
afterAll(() => pool.end());

describe.each(inject('transports'))('$name', ({ origin }) => {
  const url = `${origin}/api/sandbox/invoice/status?invoice_id=x`;
  const ask = (merchant: RestMerchant, more: { token?: string; from?: string } = {}) => {
    const { token = merchant.sandbox.authorization, from } = more;
    const credentials = { ...merchant.sandbox, authorization: token };
    return call(url, { method: 'GET', credentials, from });
  };

  test('429 at once for a token beyond its burst, while another token is served', async () => {
    const greedy = await createRestMerchant(pool);
    const modest = await createRestMerchant(pool);
    let limited: Awaited<ReturnType<typeof ask>> | undefined;
    for (let round = 0; round < 100 && limited === undefined; round++) {
      const answers = await Promise.all(Array.from({ length: 64 }, () => ask(greedy)));
      limited = answers.find(({ status }) => status === 429);
      // The whole burst of 1,000 passes.
      if (round < 15) expect(limited).toBeUndefined();
    }
    expect(limited?.headers['retry-after']).toBe('1');
    expect(limited?.json).toEqual({
      result: false,
      data: null,
      error: { message: 'Too many requests', error_code: 429 },
    });
    expect((await ask(modest)).status).toBe(404);
  });

  test('429 for an address that guesses tokens, not for another address', async () => {
    const merchant = await createRestMerchant(pool);
    const guess = (from: string) => ask(merchant, { token: 'Bearer guess', from });
    const statuses: number[] = [];
    // More than 301 times: while the machine stalls, further failures are allowed again.
    for (let count = 0; count < 2_000 && statuses.at(-1) !== 429; count++) {
      statuses.push((await guess('203.0.113.7')).status);
    }
    expect(statuses.slice(0, 300)).toEqual(new Array(300).fill(401));
    expect(statuses.at(-1)).toBe(429);
    expect((await guess('203.0.113.8')).status).toBe(401);
    // The caller itself wrote everything further left in the header.
    const disguised = await guess('198.51.100.1, 203.0.113.8');
    expect(disguised.status).toBe(401);
  });

  test('an own address in X-Forwarded-For does not hide a guesser behind a trusted proxy', async () => {
    const merchant = await createRestMerchant(pool);
    const statuses: number[] = [];
    for (let count = 0; count < 2_000 && statuses.at(-1) !== 429; count++) {
      const from = `198.51.100.${count % 200}, 203.0.113.99`;
      statuses.push((await ask(merchant, { token: 'Bearer guess', from })).status);
    }
    expect(statuses.at(-1)).toBe(429);
  });

  test('403 for a token that comes from elsewhere than its networks, whatever the caller writes', async () => {
    const merchant = await createRestMerchant(pool);
    const networks = ['203.0.113.0/24', '2001:db8::/32'];
    const wanted = { merchantId: merchant.id, environment: 'sandbox', name: 'bound' } as const;
    const made = await createToken(pool, { ...wanted, networks, now: new Date() });
    const token = `Bearer ${made.token}`;
    for (const from of ['203.0.113.200', '::ffff:203.0.113.200', '2001:db8:ffff::1']) {
      expect([from, (await ask(merchant, { token, from })).status]).toEqual([from, 404]);
    }
    for (const from of ['203.0.114.1', '2001:db9::1', '203.0.113.200, 192.0.2.1', undefined]) {
      const answer = await ask(merchant, { token, from });
      expect([from, answer.status]).toEqual([from, 403]);
      expect(answer.json).toEqual({
        result: false,
        data: null,
        error: { message: 'Forbidden', error_code: 403 },
      });
    }
  });

  test('a token is refused within a moment of its deactivation', async () => {
    const merchant = await createRestMerchant(pool);
    expect((await ask(merchant)).status).toBe(404);
    const { rows } = await pool.query<{ id: string }>(
      `SELECT id FROM api_tokens WHERE merchant_id = $1 AND environment = 'sandbox'`,
      [merchant.id],
    );
    const token = { merchantId: merchant.id, environment: 'sandbox' } as const;
    await deactivateToken(pool, { ...token, tokenId: rows[0]?.id ?? '', now: new Date() });
    // A token stays known for five seconds unless the web hears of its end; over twice as many
    // requests are answered meanwhile. They are counted, since a stalling machine lets seconds pass
    // without any.
    let known = 0;
    for (; (await ask(merchant)).status !== 401; known++) await sleep(20);
    expect(known).toBeLessThan(100);
  });
});
