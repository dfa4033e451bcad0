import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { hashToken } from '../lib/opaque-token.ts';
import { findActiveToken } from '../merchants/tokens.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { createMerchantFixture } from '../testing/factories.ts';
import { COMMAND_NOW, runCommand } from '../testing/gateway-command.ts';
import { tokenCommands } from './token-commands.ts';

let database: TestDatabase;
let merchantId: string;
beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(async () => {
  merchantId = (await createMerchantFixture(database.pool)).id;
});
afterAll(() => database.drop());

/** Runs `token …` and returns its output. */
const run = (...args: string[]) => runCommand(tokenCommands, args, database);

/** Makes sandbox tokens. */
async function fill(count: number, isEnded: boolean): Promise<void> {
  await database.pool.query(
    `INSERT INTO api_tokens
       (id, merchant_id, environment, name, prefix, token_hash, created_at, deactivated_at)
     SELECT 'tok_' || gen_random_uuid(), $1, 'sandbox', 'x', 'gw_sandbox_xxxx',
            sha256(gen_random_uuid()::text::bytea), $2, CASE WHEN $3 THEN $2::timestamptz END
     FROM generate_series(1, $4::int)`,
    [merchantId, COMMAND_NOW.toISOString(), isEnded, count],
  );
}

it('a token is made, listed without its text, and deactivated', async () => {
  const expires = ['--expires', '2099-01-01', '--json'];
  const made = JSON.parse(await run('create', merchantId, 'sandbox', '--name', 'CI', ...expires));
  const isActive = async () =>
    (await findActiveToken(database.pool, hashToken(made.api_token), COMMAND_NOW)) !== null;
  expect(await isActive()).toBe(true);
  const listed = await run('list', merchantId, '--json');
  expect(listed).not.toContain(made.api_token);
  expect(JSON.parse(listed)).toContainEqual(
    expect.objectContaining({
      token_id: made.token_id,
      name: 'CI',
      expires_at: Date.parse('2099-01-01T00:00:00Z'),
    }),
  );
  await run('deactivate', made.token_id);
  expect(await isActive()).toBe(false);
  expect(await run('deactivate', made.token_id)).toContain('already');
});

it('a token has the scopes that are named, or all but refunds.write', async () => {
  const make = async (...scopes: string[]) => {
    const options = scopes.flatMap((scope) => ['--scope', scope]);
    return JSON.parse(
      await run('create', merchantId, 'sandbox', '--name', 'x', ...options, '--json'),
    );
  };
  const narrow = await make('refunds.write', 'invoices.read', 'refunds.write');
  expect(narrow.scopes).toEqual(['refunds.write', 'invoices.read']);
  expect((await make()).scopes).not.toContain('refunds.write');
  const found = await findActiveToken(database.pool, hashToken(narrow.api_token), COMMAND_NOW);
  expect(found?.scopes).toEqual(narrow.scopes);
  expect(await run('list', merchantId)).toContain('refunds.write invoices.read');
});

it('a token works from the networks that are named, or from everywhere', async () => {
  const networks = ['203.0.113.0/24', '2001:db8::1', '203.0.113.0/24'];
  const options = networks.flatMap((network) => ['--from-network', network]);
  const narrow = JSON.parse(
    await run('create', merchantId, 'sandbox', '--name', 'x', ...options, '--json'),
  );
  expect(narrow.from_networks).toEqual(['203.0.113.0/24', '2001:db8::1']);
  const found = await findActiveToken(database.pool, hashToken(narrow.api_token), COMMAND_NOW);
  expect(found?.networks).toEqual(narrow.from_networks);
  await database.pool.query(
    `UPDATE api_tokens SET last_used_at = $2, last_used_for = '/event/list', last_used_from = '203.0.113.9'
     WHERE id = $1`,
    [narrow.token_id, COMMAND_NOW.toISOString()],
  );
  await run('create', merchantId, 'production', '--name', 'y');
  const listed = await run('list', merchantId);
  expect(listed).toContain('203.0.113.0/24 2001:db8::1');
  expect(listed).toContain('/event/list from 203.0.113.9');
  expect(listed).toContain('everywhere');
  const [json] = JSON.parse(await run('list', merchantId, '--json'));
  expect(json).toMatchObject({
    from_networks: narrow.from_networks,
    last_used_for: '/event/list',
    last_used_from: '203.0.113.9',
  });
});

const NEW = ['create', 'mer_x', 'sandbox', '--name', 'x'];

it.each([
  ['another environment', ['create', 'mer_x', 'test', '--name', 'x'], 'sandbox, production'],
  ['a merchant without tokens', ['list', 'mer_x'], 'There is no merchant mer_x'],
  ['an unknown token', ['deactivate', 'tok_x'], 'There is no token'],
  ['an unknown scope', [...NEW, '--scope', 'everything'], 'invoices.write, invoices.read'],
  ['no network', [...NEW, '--from-network', 'shop.example'], '"shop.example"'],
  ['a time in the past', [...NEW, '--expires', '2020-01-01'], 'expired'],
  ['no time at all', [...NEW, '--expires', 'soon'], '2027-12-31'],
])('a mistake is told in words: %s', async (_, args, words) => {
  await expect(run(...args)).rejects.toThrow(words);
});

it('who meets the most tokens there can be is told so, and what to do', async () => {
  await fill(100, false);
  await expect(run('create', merchantId, 'sandbox', '--name', 'one more')).rejects.toThrow(
    /^This environment already has 100 active tokens, the maximum: deactivate one first\.$/,
  );
});

it('the list has both environments, and says how many of those that ended it leaves out', async () => {
  await fill(60, true);
  await run('create', merchantId, 'production', '--name', 'web shop');
  const lines = (await run('list', merchantId)).split('\n');
  expect(lines).toHaveLength(1 + 50 + 1 + 1);
  expect(lines.filter((line) => line.includes('web shop'))).toHaveLength(1);
  expect(lines.at(-1)).toBe('Ended earlier in sandbox, not listed: 10');
  expect(JSON.parse(await run('list', merchantId, '--json'))).toHaveLength(51);
});
