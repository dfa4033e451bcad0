import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { createMerchantFixture } from '../testing/factories.ts';
import { tokenCommands } from './token-commands.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const ACTOR = { type: 'operator', id: null, label: 'gateway command' } as const;

let database: TestDatabase;
let merchantId: string;
beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(async () => {
  merchantId = (await createMerchantFixture(database.pool)).id;
});
afterAll(() => database.drop());

/** Runs a `token` command in this process and returns its output. */
async function run(...args: string[]): Promise<string> {
  const printed: string[] = [];
  const commands = tokenCommands({
    print: (text) => printed.push(text),
    withDatabase: (work) =>
      work({ pool: database.pool, actor: ACTOR, now: NOW, publicUrl: 'http://localhost:3000' }),
  });
  await commands.parseAsync(args, { from: 'user' });
  return printed.join('\n');
}

/** Makes sandbox tokens. */
async function fill(count: number, isEnded: boolean): Promise<void> {
  await database.pool.query(
    `INSERT INTO api_tokens
       (id, merchant_id, environment, name, prefix, token_hash, created_at, deactivated_at)
     SELECT 'tok_' || gen_random_uuid(), $1, 'sandbox', 'x', 'gw_sandbox_xxxx',
            sha256(gen_random_uuid()::text::bytea), $2, CASE WHEN $3 THEN $2::timestamptz END
     FROM generate_series(1, $4::int)`,
    [merchantId, NOW.toISOString(), isEnded, count],
  );
}

it('who meets the most tokens there can be is told so, and what to do', async () => {
  await fill(100, false);
  await expect(run('create', merchantId, 'sandbox', '--name', 'one more')).rejects.toThrow(
    /^100 tokens work in this environment, the most there can be: deactivate one first\.$/,
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
