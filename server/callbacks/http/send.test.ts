import { once } from 'node:events';
import type { Socket } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { afterEach, describe, expect, test } from 'vitest';
import {
  ACCEPT,
  type Answer,
  claimedFor,
  openShop,
  openTcp,
  TEST_SECRET,
} from '../../testing/callbacks.ts';
import { classify } from '../outcome.ts';
import type { Observation } from '../types.ts';
import type { CallbackNetwork } from './address-guard.ts';
import type { ResolvedAddress } from './connector.ts';
import { createSender, type Sender, type SenderOptions } from './send.ts';
import { signingKey } from './sign.ts';

const KEYS = [signingKey(TEST_SECRET)];
// No JSON writer would produce the same text again.
const BODY = Buffer.from(
  String.raw`{"invoice_id":"inv_1", "status":2,"description":"Два билета","merchant_data":{"b": 1.50, "10":"\u00e9","9":[ ]}}`,
);
const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const claimed = (url: string) => claimedFor(url, BODY);

function sender(network: CallbackNetwork, more: Partial<SenderOptions> = {}): Sender {
  const made = createSender({ network, clock: () => new Date(), ...more });
  closers.push(() => made.close());
  return made;
}

async function shop(answer?: Answer) {
  const opened = await openShop(answer);
  closers.push(() => opened.close());
  return opened;
}

async function tcp(onConnection: (socket: Socket) => void) {
  const opened = await openTcp(onConnection);
  closers.push(() => opened.close());
  return opened;
}

async function reasonFor(url: string, more: Partial<SenderOptions> = {}): Promise<string> {
  const outcome = classify(await sender('local', more).send(claimed(url), KEYS));
  return outcome.delivered ? 'delivered' : outcome.reason;
}

describe('send', () => {
  test('posts the exact bytes, signed, with no Authorization', async () => {
    const { url, received } = await shop();
    const observation = await sender('local').send(claimed(`${url}?order=1`), KEYS);
    expect(classify(observation)).toEqual({ delivered: true });
    const [request] = received;
    expect(request?.path).toBe('/callback?order=1');
    expect(request?.body.equals(BODY)).toBe(true);
    expect(request?.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'payment-gateway-callbacks/1.0',
      'webhook-id': 'msg_1',
    });
    expect(request?.headers).not.toHaveProperty('authorization');
    const headers = request?.headers as Record<string, string>;
    expect(new Webhook(TEST_SECRET).verify(BODY.toString(), headers)).toBeTruthy();
  });

  test('uses a connection again', async () => {
    const sockets = new Set<unknown>();
    const { url } = await shop((response, received, nth) => {
      sockets.add(response.socket);
      ACCEPT(response, received, nth);
    });
    const one = sender('local');
    for (let i = 0; i < 10; i++) await one.send(claimed(url), KEYS);
    // Two are allowed: a connection is free again a moment after its answer has been passed on.
    expect(sockets.size).toBeLessThanOrEqual(2);
  });

  test('closes an idle connection, however long the server says that it waits', async () => {
    const closed: Promise<unknown>[] = [];
    const patient = await tcp((socket) => {
      closed.push(once(socket, 'close'));
      const head = 'HTTP/1.1 200 OK\r\nKeep-Alive: timeout=600\r\nContent-Length: 16\r\n\r\n';
      socket.once('data', () => socket.write(`${head}{"success":true}`));
    });
    const url = `http://127.0.0.1:${patient.port}/`;
    expect(await reasonFor(url, { longestKeepAliveMs: 200 })).toBe('delivered');
    await Promise.all(closed);
    expect(closed).toHaveLength(1);
  });

  test('does not follow a redirect', async () => {
    const target = await shop();
    const { url } = await shop((response) => {
      response.writeHead(307, { location: `${target.url}?token=1` }).end();
    });
    expect(await reasonFor(url)).toBe(`redirected (307) to ${target.url}, which is not followed`);
    expect(target.received).toHaveLength(0);
  });

  test('no answer in time, then the connection is closed and no other request suffers', async () => {
    const { url } = await shop((response, received, nth) => {
      if (nth > 1) ACCEPT(response, received, nth);
    });
    const one = sender('local', { timeoutMs: 300 });
    const late = await one.send(claimed(url), KEYS);
    expect(late).toMatchObject({ failure: 'timeout', httpStatus: null });
    expect(late.durationMs).toBeGreaterThanOrEqual(290);
    expect(late.durationMs).toBeLessThan(9_000);
    expect(classify(await one.send(claimed(url), KEYS)).delivered).toBe(true);
  });

  test('each attempt has the limit to itself, whatever others do', async () => {
    const ended = new Set<string>();
    const late: string[] = [];
    const { url } = await shop((response, received, nth) => {
      const { path } = received;
      if (path.endsWith('2')) return ACCEPT(response, received, nth);
      // A timer of this process measures it: the limit's delays delay this one as well.
      setTimeout(() => {
        if (!ended.has(path)) late.push(path);
      }, 1_200);
    });
    const one = sender('local', { timeoutMs: 1_000 });
    const attempt = async (nth: number) => {
      const observation = await one.send(claimed(`${url}?${nth}`), KEYS);
      ended.add(`/callback?${nth}`);
      return observation;
    };
    const sent: Promise<Observation>[] = [];
    for (let nth = 1; nth <= 4; nth++) {
      sent.push(attempt(nth));
      await new Promise((resolve) => setTimeout(resolve, 150));
    }
    const seen = await Promise.all(sent);
    expect(seen.map(({ failure }) => failure)).toEqual(['timeout', null, 'timeout', 'timeout']);
    for (const { failure, durationMs } of seen) {
      if (failure !== null) expect(durationMs).toBeGreaterThanOrEqual(990);
    }
    // All attempts have ended, and the timer with them.
    expect((await attempt(5)).failure).toBe('timeout');
    expect(late).toEqual([]);
  });

  test('the limit is over all: an answer that drips is cut off', async () => {
    const { url } = await shop((response) => {
      response.writeHead(200);
      const drip = setInterval(() => response.write(' '), 50);
      response.once('close', () => clearInterval(drip));
    });
    expect(await reasonFor(url, { timeoutMs: 400 })).toBe(
      '200, but no complete answer within 10 s',
    );
  });

  test('reads 64 KiB of an answer and of its headers, and no more', async () => {
    let written = 0;
    const { url } = await shop((response) => {
      const pour = () => {
        while (!response.destroyed && response.write(Buffer.alloc(16_384, 0x20))) written += 16_384;
      };
      response.on('drain', pour);
      pour();
    });
    const observation = await sender('local').send(claimed(url), KEYS);
    expect(observation).toMatchObject({ failure: 'too_large', httpStatus: 200 });
    expect(observation.body.length).toBe(64 * 1024);
    expect(written).toBeLessThan(64 * 1024 * 1024);
    const answer = '{"success":true}'.padEnd(64 * 1024);
    const traced = (bytes: number) =>
      shop((response) => response.setHeader('x-trace', 't'.repeat(bytes)).end(answer));
    expect(await reasonFor((await traced(60_000)).url)).toBe('delivered');
    expect(await reasonFor((await traced(70_000)).url)).toBe('answer longer than 64 KiB');
  });

  test('keeps Retry-After', async () => {
    const { url } = await shop((response) => {
      response.writeHead(503, { 'retry-after': '120' }).end();
    });
    const observation = await sender('local').send(claimed(url), KEYS);
    expect(observation).toMatchObject({ httpStatus: 503, retryAfter: '120', failure: null });
  });

  test('connection refused', async () => {
    const gone = await openShop();
    await gone.close();
    expect(await reasonFor(gone.url)).toBe('connection refused');
  });

  test('a name that does not exist', async () => {
    const resolve = () => Promise.reject(Object.assign(new Error('x'), { code: 'ENOTFOUND' }));
    expect(await reasonFor('http://shop.example/', { resolve })).toBe(
      'the name of the host was not found, or does not lead to a public address',
    );
  });

  test('a lookup that hangs ends in time and sends nothing later', async () => {
    const canary = await tcp(() => undefined);
    const resolve = () =>
      new Promise<ResolvedAddress[]>((answer) => {
        setTimeout(() => answer([{ address: '127.0.0.1', family: 4 }]), 400);
      });
    const one = sender('local', { resolve, timeoutMs: 200 });
    const late = await one.send(claimed(`http://shop.example:${canary.port}/`), KEYS);
    expect(late.failure).toBe('timeout');
    await new Promise((settle) => setTimeout(settle, 500));
    for (const socket of canary.seen) expect(socket.bytesRead).toBe(0);
  });

  test('no TLS where https is asked for', async () => {
    const plain = await tcp((socket) =>
      socket.once('data', () => socket.end('HTTP/1.1 400 No\r\n\r\n')),
    );
    expect(await reasonFor(`https://127.0.0.1:${plain.port}/`)).toMatch(/^no secure connection/);
  });

  test('no signing secret: nothing is sent', async () => {
    const { url, received } = await shop();
    const observation = await sender('local').send(claimed(url), []);
    expect(observation.failure).toBe('no_signing_secret');
    expect(received).toHaveLength(0);
  });
});

describe('send, public network: a canary on loopback sees no connection', () => {
  const NAMES = ['localhost', 'localhost.'];
  const ADDRESSES = [
    '127.0.0.1',
    '127.0.0.1.',
    '0x7f.1',
    '2130706433',
    '①②⑦.⓪.⓪.①',
    '[::1]',
    '[::ffff:7f00:1]',
    '[::7f00:1]',
    '[64:ff9b::7f00:1]',
    '0',
    '[::]',
  ];

  test.each([...NAMES, ...ADDRESSES])('http://%s', async (host) => {
    const canary = await tcp(() => undefined);
    const resolve = () => Promise.resolve<ResolvedAddress[]>([{ address: '127.0.0.1', family: 4 }]);
    const one = sender('public', { resolve, timeoutMs: 1_000 });
    const failure = NAMES.includes(host) ? 'name_not_found' : 'address_refused';
    for (const scheme of ['http', 'https']) {
      const observation = await one.send(claimed(`${scheme}://${host}:${canary.port}/`), KEYS);
      expect(observation.failure).toBe(failure);
    }
    expect(canary.seen).toHaveLength(0);
  });

  test.each([
    ['ftp://shop.example/', 'url_invalid'],
    ['http://shop.example:25/', 'port_refused'],
    ['not a URL', 'url_invalid'],
  ])('%s is not even looked up: %s', async (url, failure) => {
    let asked = 0;
    const resolve = () => {
      asked += 1;
      return Promise.resolve<ResolvedAddress[]>([{ address: '192.0.2.1', family: 4 }]);
    };
    const observation = await sender('public', { resolve }).send(claimed(url), KEYS);
    expect(observation.failure).toBe(failure);
    expect(asked).toBe(0);
  });

  test.each<[string, ResolvedAddress[]]>([
    [
      'one forbidden address among public ones',
      [
        { address: '8.8.8.8', family: 4 },
        { address: '127.0.0.1', family: 4 },
      ],
    ],
    ['an IPv6 address that holds a forbidden IPv4', [{ address: '::ffff:127.0.0.1', family: 6 }]],
    ['the addresses of cloud metadata', [{ address: '169.254.169.254', family: 4 }]],
  ])('%s refuses the name', async (_, found) => {
    const canary = await tcp(() => undefined);
    const one = sender('public', { resolve: () => Promise.resolve(found), timeoutMs: 1_000 });
    const observation = await one.send(claimed(`http://shop.example:${canary.port}/`), KEYS);
    expect(observation.failure).toBe('name_not_found');
    expect(canary.seen).toHaveLength(0);
  });

  test('a rebinding name is asked once, and what was vetted is what is connected to', async () => {
    const canary = await tcp((socket) => socket.end());
    // The first lookup gets a public address, the second loopback: vetting and connecting must
    // share one lookup.
    const answers = ['192.0.2.1', '127.0.0.1'];
    let asked = 0;
    const resolve = () => {
      const address = answers[Math.min(asked, 1)] ?? '';
      asked += 1;
      return Promise.resolve<ResolvedAddress[]>([{ address, family: 4 }]);
    };
    // `local` would allow loopback, so only the single lookup protects us.
    const one = sender('local', { resolve, timeoutMs: 500 });
    const observation = await one.send(claimed(`http://rebind.example:${canary.port}/`), KEYS);
    expect(observation.failure).toBe('name_not_found');
    expect(asked).toBe(1);
    expect(canary.seen).toHaveLength(0);
  });

  test('each new connection is vetted again: a name that turns to loopback is refused', async () => {
    const { url, received } = await shop((response, request, nth) => {
      response.setHeader('connection', 'close');
      ACCEPT(response, request, nth);
    });
    const { port } = new URL(url);
    const answers: ResolvedAddress[] = [
      { address: '127.0.0.1', family: 4 },
      { address: '10.0.0.1', family: 4 },
    ];
    let asked = 0;
    const resolve = () => Promise.resolve([answers[Math.min(asked++, 1)]!]);
    const one = sender('local', { resolve, timeoutMs: 1_000 });
    const target = claimed(`http://turning.example:${port}/`);
    expect(classify(await one.send(target, KEYS)).delivered).toBe(true);
    expect((await one.send(target, KEYS)).failure).toBe('name_not_found');
    expect(received).toHaveLength(1);
  });
});
