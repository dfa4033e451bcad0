import { afterAll, beforeAll, expect, it } from 'vitest';
import { setPersonStatus } from '../staff/person-status.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { COMMAND_ACTOR, COMMAND_NOW, runCommand } from '../testing/gateway-command.ts';
import { operatorCommands } from './operator-commands.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const run = (...args: string[]) => runCommand(operatorCommands, args, database);

it('an operator is added, listed and removed', async () => {
  const email = 'night-shift@example.com';
  expect(await run('add', '--email', email)).toMatch(
    /^night-shift@example\.com is an operator\.\nLink .*\n.*new-password/,
  );
  const row = (status: string) => `[{"email":"${email}","status":"${status}","last_seen_at":null}]`;
  expect(await run('list', '--json')).toBe(row('active'));
  const from = { actor: COMMAND_ACTOR, now: COMMAND_NOW };
  await setPersonStatus(database.pool, { ...from, email, status: 'disabled' });
  expect(await run('list', '--json')).toBe(row('disabled'));
  expect(await run('list')).toMatch(
    /^ADDRESS +STATUS +LAST SEEN\nnight-shift@example\.com +disabled/,
  );
  await run('remove', '--email', email);
  await expect(run('remove', '--email', email)).rejects.toThrow(`${email} is not an operator.`);
});
