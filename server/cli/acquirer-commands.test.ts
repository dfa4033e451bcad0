import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { recordCheck } from '../merchants/acquirer-accounts.ts';
import { connectAccount } from '../payments/accounts/accounts.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { createMerchantFixture } from '../testing/factories.ts';
import { freePort } from '../testing/ports.ts';
import { forgetSettings, withOwnDataDir } from '../testing/settings.ts';
import { acquirerCommands } from './acquirer-commands.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const ACTOR = { type: 'operator', id: null, label: 'gateway command' } as const;

let database: TestDatabase;
let accountId: string;
let merchantId: string;

withOwnDataDir();
beforeAll(async () => {
  vi.stubEnv('CLICK_API_URL', `http://127.0.0.1:${await freePort()}`);
  forgetSettings();
  database = await createTestDatabase();
  ({ id: merchantId } = await createMerchantFixture(database.pool));
  const click = { merchant_id: '1', service_id: '2', merchant_user_id: '3', secret_key: 'sec' };
  const account = { merchantId, environment: 'sandbox', provider: 'click' } as const;
  const connected = { ...account, credentials: click, actor: ACTOR, now: NOW };
  ({ id: accountId } = await connectAccount(database.pool, connected));
});
afterAll(() => database.drop());

/** Runs a command in this process and returns its output. */
async function run(...args: string[]): Promise<string> {
  const printed: string[] = [];
  const commands = acquirerCommands({
    print: (text) => printed.push(text),
    withDatabase: (work) =>
      work({ pool: database.pool, actor: ACTOR, now: NOW, publicUrl: 'http://localhost:3000' }),
  });
  await commands.parseAsync(args, { from: 'user' });
  return printed.join('\n');
}

it('a check says what is wrong in English, and to a program by a code', async () => {
  const words = 'the acquirer cannot be reached (ECONNREFUSED)';
  expect(await run('check', accountId)).toBe(`Account ${accountId} does not work: ${words}.`);
  expect(JSON.parse(await run('check', accountId, '--json'))).toMatchObject({
    check_fault: words,
    check_fault_code: 'not_reachable',
    call_fault: null,
    call_fault_code: null,
  });
});

it('a sentence that an earlier version stored is listed as it is', async () => {
  const sentence = 'Click answered 502.';
  await recordCheck(database.pool, accountId, { code: null, detail: sentence }, NOW);
  expect(await run('list', merchantId)).toContain(sentence);
  expect(JSON.parse(await run('list', merchantId, '--json'))).toMatchObject([
    { check_fault: sentence, check_fault_code: null },
  ]);
});
