import { once } from 'node:events';
import { Agent, createServer, get, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { forFewOfSession } from './page-requests.ts';

const AT_WORK = 8;
const WAITING = 100;

let server: Server;
/** The responses under way; each ends with its answer. */
let atWork: ServerResponse[];
let arrived: number;

beforeEach(async () => {
  atWork = [];
  arrived = 0;
  const answer = forFewOfSession(async (_, response) => {
    atWork.push(response);
    await once(response, 'finish');
  });
  server = createServer((request, response) => {
    arrived += 1;
    void answer(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

function ask(cookie: string) {
  const { port } = server.address() as AddressInfo;
  const asked = get({ port, headers: { cookie }, agent: new Agent() });
  const status = once(asked, 'response').then(([answer]) => answer.resume().statusCode as number);
  status.catch(() => undefined);
  return { asked, status };
}

const many = (count: number, cookie: string) => Array.from({ length: count }, () => ask(cookie));
const waitFor = (count: number) => expect.poll(() => atWork).toHaveLength(count);

test('of a session some pages are at work, some wait, and more are refused; others pass', async () => {
  const own = 'theme=dark; next-auth.session-token=a';
  const all = many(AT_WORK + WAITING, own);
  await expect.poll(() => arrived).toBe(AT_WORK + WAITING);
  expect(await ask(own).status).toBe(503);
  const others = [
    ask('__Host-next-auth.session-token=b'),
    ask('__Secure-next-auth.session-token.0=c; next-auth.session-token.1=d'),
    ask(''),
  ];
  await waitFor(AT_WORK + others.length);
  for (let done = 0; done < AT_WORK + WAITING + others.length; done++) {
    await expect.poll(() => atWork[done]).toBeDefined();
    atWork[done]?.end();
  }
  const statuses = await Promise.all([...all, ...others].map(({ status }) => status));
  expect(new Set(statuses)).toEqual(new Set([200]));
});

test('who leaves while waiting costs nothing more', async () => {
  const own = 'next-auth.session-token=a';
  const first = many(AT_WORK, own);
  await waitFor(AT_WORK);
  const waiting = ask(own);
  const last = ask(own);
  await expect.poll(() => arrived).toBe(AT_WORK + 2);
  waiting.asked.destroy();
  await expect(waiting.status).rejects.toThrow();
  for (const response of atWork) response.end();
  await waitFor(AT_WORK + 1);
  atWork.at(-1)?.end();
  expect(await last.status).toBe(200);
  for (const { status } of first) expect(await status).toBe(200);
});
