import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { childEnvironment } from '../settings/settings.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { runGateway } from '../testing/gateway-command.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
vi.setConfig({ testTimeout: 120_000 });

it('holds the JSON alone where an e-mail fails, for that has what is shown once', async () => {
  const where = { DATABASE_URL: database.url, PUBLIC_URL: 'https://pay.example', PORT: '' };
  // Nothing listens there.
  const env = childEnvironment({ ...where, SMTP_URL: 'smtp://127.0.0.1:9' });
  const owner = ['--owner-email', 'kim@example.com'];
  const args = ['merchant', 'create', '--name', 'Kiosk', ...owner, '--json'];
  const { code, stdout, stderr } = await runGateway(args, env);
  expect({ code, merchant: JSON.parse(stdout) }).toMatchObject({
    code: 0,
    merchant: {
      owner: { password_link: { url: null, sent: false } },
      sandbox: { api_token: expect.stringMatching(/^gw_sandbox_/) },
    },
  });
  expect(JSON.parse(stderr)).toMatchObject({ level: 'error' });
});
