import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { afterEach, expect, inject, test } from 'vitest';
import { childEnvironment, projectRoot } from '../../env.ts';
import { untilHealthy } from '../../testing/doors-setup.ts';
import { freePort } from '../../testing/ports.ts';

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

async function startWeb(port: number): Promise<{ child: ChildProcess; output: string[] }> {
  const env = childEnvironment({
    NODE_ENV: 'production',
    PORT: String(port),
    DATABASE_URL: inject('doorsDatabaseUrl'),
    SECRETS_KEY: Buffer.alloc(32).toString('base64'),
    LOG_LEVEL: 'fatal',
  });
  const child = spawn(process.execPath, ['--import', 'tsx', 'server/http.ts'], {
    env,
    cwd: projectRoot(),
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  children.push(child);
  const output: string[] = [];
  child.stdout?.on('data', (data: Buffer) => output.push(data.toString()));
  child.stderr?.on('data', (data: Buffer) => output.push(data.toString()));
  return { child, output };
}

async function startHealthy(): Promise<{ child: ChildProcess; port: number }> {
  const port = await freePort();
  const { child, output } = await startWeb(port);
  await untilHealthy(`http://127.0.0.1:${port}`, child, output);
  return { child, port };
}

const exitOf = async (child: ChildProcess) => (await once(child, 'exit')) as [number, string];

test('SIGTERM lets the request in flight end, takes no more, and ends with 0', async () => {
  const { child, port } = await startHealthy();
  const slow = request({ port, method: 'POST', path: '/api/sandbox/invoice/create' });
  slow.setHeader('content-type', 'application/json');
  slow.write('{"amount":');
  await new Promise((resolve) => setTimeout(resolve, 200));
  const exit = exitOf(child);
  child.kill('SIGTERM');
  await expect
    .poll(() => fetch(`http://127.0.0.1:${port}/api/health`).catch(() => 'refused'))
    .toBe('refused');
  slow.end('1}');
  const [answer] = await once(slow, 'response');
  expect(answer.statusCode).toBe(401);
  answer.resume();
  expect(await exit).toEqual([0, null]);
});

test('the end of its supervisor ends it', async () => {
  const { child } = await startHealthy();
  const exit = exitOf(child);
  child.disconnect();
  expect(await exit).toEqual([0, null]);
});

test('a port in use is said in so many words, with exit code 1', async () => {
  const { port } = await startHealthy();
  const { child, output } = await startWeb(port);
  expect(await exitOf(child)).toEqual([1, null]);
  expect(output.join('')).toContain('The port is in use; set PORT to another one.');
});
