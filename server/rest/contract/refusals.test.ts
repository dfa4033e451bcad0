import { type ChildProcess, spawn } from 'node:child_process';
import { afterEach, expect, inject, test } from 'vitest';
import { childEnvironment, projectRoot } from '../../settings/settings.ts';
import { freePort } from '../../testing/ports.ts';
import { untilHealthy } from '../../testing/transports-setup.ts';

let child: ChildProcess | undefined;
afterEach(() => void child?.kill('SIGKILL'));

/** A web whose callers come through a proxy, and its log. */
async function startWeb(): Promise<{ origin: string; lines: () => Line[] }> {
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const env = childEnvironment({
    NODE_ENV: 'production',
    PORT: String(port),
    PUBLIC_URL: origin,
    DATABASE_URL: inject('contractDatabaseUrl'),
    SECRETS_KEY: Buffer.alloc(32).toString('base64'),
    LOG_LEVEL: 'warn',
    TRUSTED_PROXY_HOPS: '1',
  });
  const command = ['--import', 'tsx', 'server/web/http.ts'];
  child = spawn(process.execPath, command, { env, cwd: projectRoot() });
  const output: string[] = [];
  child.stdout?.on('data', (data: Buffer) => output.push(data.toString()));
  child.stderr?.on('data', (data: Buffer) => output.push(data.toString()));
  await untilHealthy(origin, child, output);
  const all = () => output.join('').split('\n');
  const lines = () =>
    all()
      .filter((line) => line.includes('"msg":"refused"'))
      .map((line) => JSON.parse(line) as Line);
  return { origin, lines };
}

type Line = { what: string; address: string; requestId: string; account?: string };

const FORWARDED = { 'x-forwarded-for': '203.0.113.7' };

/** Signs in as the page does, with a wrong password. */
async function tryPassword(origin: string, headers: { [name: string]: string }) {
  const asked = await fetch(`${origin}/api/auth/csrf`);
  const { csrfToken } = (await asked.json()) as { csrfToken: string };
  const cookie = asked.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ');
  return await fetch(`${origin}/api/auth/callback/credentials`, {
    method: 'POST',
    headers: { ...headers, cookie, origin, 'sec-fetch-site': 'same-origin' },
    body: new URLSearchParams({ csrfToken, email: 'a@example.com', password: 'x', json: 'true' }),
    redirect: 'manual',
  });
}

test('what is refused stands in the log by its address, under the id of its answer, through each transport', async () => {
  const { origin, lines } = await startWeb();
  const signIn = await tryPassword(origin, FORWARDED);
  expect(signIn.status).toBe(401);
  const link = await fetch(`${origin}/dashboard/invitation/made-up`, {
    headers: { ...FORWARDED, 'x-request-id': 'mine-1' },
  });
  expect(link.headers.get('x-request-id')).toBe('mine-1');
  const status = `${origin}/api/sandbox/invoice/status?invoice_id=x`;
  const token = await fetch(status, { headers: { ...FORWARDED, authorization: 'Bearer x' } });
  expect(token.status).toBe(401);
  const line = (what: string, { headers }: Response) => ({
    what,
    outcome: 'refused',
    address: '203.0.113.7',
    requestId: headers.get('x-request-id'),
  });
  await expect
    .poll(lines)
    .toMatchObject([line('password', signIn), line('link', link), line('token', token)]);
  expect(signIn.headers.get('x-request-id')).toMatch(/^req_/);
  expect(JSON.stringify(lines())).not.toContain('example.com');
});
