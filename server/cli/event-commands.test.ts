import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { createMerchantFixture } from '../testing/factories.ts';
import { COMMAND_NOW, runCommand } from '../testing/gateway-command.ts';
import { eventCommands } from './event-commands.ts';

let database: TestDatabase;
let merchantId: string;
beforeAll(async () => {
  database = await createTestDatabase();
  merchantId = (await createMerchantFixture(database.pool)).id;
});
afterAll(() => database.drop());

const run = (...args: string[]) => runCommand(eventCommands, args, database);
const URL = 'https://shop.example/events?key=1';

it('an address is set with what is sent there, shown, changed and removed', async () => {
  expect(await run('show', merchantId, 'production')).toBe('There is no address for events.');
  const made = JSON.parse(await run('set-address', merchantId, 'production', URL, '--json'));
  expect(made).toEqual({
    url: URL,
    types: ['refund.succeeded', 'refund.failed', 'callback.exhausted'],
    set_at: COMMAND_NOW.getTime(),
  });
  expect(JSON.parse(await run('show', merchantId, 'production', '--json'))).toEqual(made);
  expect(await run('show', merchantId, 'sandbox', '--json')).toBe('null');
  const chosen = ['--type', 'refund.failed', '--type', 'invoice.paid', '--type', 'refund.failed'];
  expect(await run('set-address', merchantId, 'production', URL, ...chosen)).toContain(
    'Sent: invoice.paid, refund.failed\n',
  );
  expect(await run('remove-address', merchantId, 'production')).toBe('No more events are sent.');
  expect(await run('remove-address', merchantId, 'production')).toBe(
    'There is no address for events.',
  );
});

it.each([
  [['mer_0', 'sandbox', URL], 'There is no merchant mer_0.'],
  [['live', URL], 'Allowed choices are sandbox, production'],
  [['sandbox', 'ftp://shop.example/'], 'an http or https address'],
  [['sandbox', 'https://kim:secret@shop.example/'], 'an http or https address without a password'],
  [['sandbox', 'http://10.0.0.1/'], 'only to public addresses'],
  [['sandbox', URL, '--type', 'invoice.created'], 'Allowed choices are invoice.paid, '],
])('%j is refused in words', async (args, words) => {
  const given = args[0] === 'mer_0' ? args : [merchantId, ...args];
  await expect(run('set-address', ...given)).rejects.toThrow(words);
  expect(await run('show', merchantId, 'sandbox')).toBe('There is no address for events.');
});
