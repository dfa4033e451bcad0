import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { forFewOfProcess } from './page-requests.ts';

const AT_WORK = 8;
const WAITING = 400;
const KEPT_MS = 10_000;
const STAFF = 'next-auth.session-token=a';

let answer: ReturnType<typeof forFewOfProcess>;
/** The requests under way, and how each ends. */
let atWork: {
  cookie: string | undefined;
  method: string | undefined;
  url: string | undefined;
  end: () => void;
}[];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  atWork = [];
  answer = forFewOfProcess(
    ({ headers, method, url }) =>
      new Promise((end) => {
        atWork.push({ cookie: headers.cookie, method, url, end });
      }),
    async (cookie) => cookie === STAFF,
  );
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

async function ask(
  count: number,
  { method = 'GET', url = '/docs', cookie = '' } = {},
): Promise<ServerResponse[]> {
  const responses = Array.from({ length: count }, () => {
    const request = new IncomingMessage(new Socket());
    const response = new ServerResponse(
      Object.assign(request, { method, url, headers: { cookie } }),
    );
    void answer(request, response);
    return response;
  });
  await turn();
  return responses;
}

test('of strangers some pages are at work, some wait, and more are refused', async () => {
  const writeHead = vi.spyOn(ServerResponse.prototype, 'writeHead');
  await ask(AT_WORK + WAITING);
  expect(atWork).toHaveLength(AT_WORK);
  expect(writeHead).not.toHaveBeenCalled();
  await ask(1);
  const inASecond = expect.objectContaining({ 'retry-after': '1' });
  expect(writeHead).toHaveBeenCalledExactlyOnceWith(503, inASecond);
  for (let ended = 0; ended < AT_WORK + WAITING; ended++) {
    atWork[ended]?.end();
    await turn();
  }
  expect(atWork).toHaveLength(AT_WORK + WAITING);
  await ask(AT_WORK);
  expect(atWork).toHaveLength(AT_WORK + WAITING + AT_WORK);
});

test.each([
  ['of a session', { cookie: STAFF }, 128],
  ['of a buyer', { url: '/pay/inv_1' }, 32],
  ['of a link', { url: '/link/1abc' }, 32],
  ['that pay', { method: 'POST' }, 512],
])(
  'however many strangers look, those %s are answered, of whom as many are',
  async (_who, who, most) => {
    await ask(AT_WORK + WAITING);
    await ask(most + 1, who);
    const others = atWork.slice(AT_WORK);
    expect(others).toHaveLength(most);
    for (const other of others) expect(other).toMatchObject(who);
  },
);

test('who makes up a session is a stranger like others', async () => {
  await ask(AT_WORK + WAITING);
  const writeHead = vi.spyOn(ServerResponse.prototype, 'writeHead');
  await ask(1, { cookie: 'next-auth.session-token=made-up' });
  expect(atWork).toHaveLength(AT_WORK);
  expect(writeHead).toHaveBeenCalledExactlyOnceWith(503, expect.anything());
});

test('who takes nothing of a page keeps its place for some seconds only', async () => {
  await ask(AT_WORK + 2 * AT_WORK);
  vi.advanceTimersByTime(KEPT_MS - 1);
  await turn();
  expect(atWork).toHaveLength(AT_WORK);
  vi.advanceTimersByTime(1);
  await turn();
  expect(atWork).toHaveLength(2 * AT_WORK);
  // Places are given back only once.
  for (const { end } of atWork.slice(0, AT_WORK)) end();
  await turn();
  expect(atWork).toHaveLength(2 * AT_WORK);
});

test('who has left while waiting costs nothing more', async () => {
  await ask(AT_WORK);
  const [left] = await ask(1);
  await ask(1, { cookie: '', method: 'HEAD' });
  left?.destroy();
  atWork[0]?.end();
  await turn();
  expect(atWork).toHaveLength(AT_WORK + 1);
  expect(atWork.at(-1)?.method).toBe('HEAD');
});
