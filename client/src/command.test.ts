import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type SmallGateway, startSmallGateway } from '../../e2e/small-gateway.ts';
import { RETRY_DELAYS_MS } from '../../server/callbacks/schedule.ts';
import { metrics } from '../../server/observability/metrics.ts';
import {
  ACCEPT,
  type Answer,
  openShop,
  TEST_SECRET,
  until,
} from '../../server/testing/callbacks.ts';
import { call } from '../../server/testing/rest-client.ts';
import { verifyCallback } from './callback.ts';
import { explain, runCommand, UsageError } from './command.ts';

let gateway: SmallGateway;
let shop: Awaited<ReturnType<typeof openShop>>;
let answer: Answer;
const running: { stop(): Promise<void> }[] = [];

beforeAll(async () => {
  gateway = await startSmallGateway();
  shop = await openShop((response, received, nth) => answer(response, received, nth));
});
beforeEach(async () => {
  // Callbacks that one test leaves unsent must not reach the next.
  await gateway.database.pool.query("UPDATE callbacks SET state = 'exhausted'");
  answer = ACCEPT;
  shop.received.length = 0;
});
afterAll(async () => {
  for (const each of running) await each.stop();
  await shop.close();
  await gateway.close();
});

const none = new AbortController().signal;
const defaults = () => ({
  baseUrl: gateway.baseUrl,
  merchantId: gateway.merchant.id,
  token: gateway.token,
});

/** Runs the command to its end; returns its output. */
async function command(...args: string[]): Promise<string> {
  const lines: string[] = [];
  await runCommand(args, {
    print: (text) => lines.push(text),
    defaults: defaults(),
    signal: none,
  });
  return lines.join('\n');
}

type Event = { event: string; invoice_id?: string; attempt?: number; verdict?: object };

/** Runs `listen` until it is stopped. */
async function listening(...args: string[]) {
  const controller = new AbortController();
  const printed: string[] = [];
  const ended = runCommand(['listen', '--forward-to', shop.url, ...args], {
    print: (text) => printed.push(text),
    defaults: defaults(),
    signal: controller.signal,
  });
  ended.catch(() => undefined);
  const stop = async () => {
    controller.abort();
    await ended.catch(() => undefined);
  };
  running.push({ stop });
  await until(() => printed.some((line) => line.includes('Press Ctrl-C to stop')));
  const events = (): Event[] => printed.map((line) => JSON.parse(line));
  return { printed, events, ended, stop };
}

async function trigger(ending: string, ...args: string[]): Promise<string> {
  const made = JSON.parse(await command('trigger', ending, '--json', ...args));
  return made.invoice_id;
}

describe('trigger', () => {
  test.each([
    ['paid', 2, 'PAID'],
    ['expired', 3, 'EXPIRED'],
    ['canceled', 4, 'CANCELED'],
  ])('%s makes an invoice and drives it there', async (ending, status, name) => {
    const text = await command('trigger', ending, '--amount', '700', '--currency', 'UZS');
    const [id] = /inv_[0-9a-z]{35}/.exec(text) ?? [];
    expect(text).toContain(`status                   ${status} ${name}`);
    const sql = 'SELECT status, amount_minor::int AS amount, currency FROM invoices WHERE id = $1';
    const { rows } = await gateway.database.pool.query(sql, [id]);
    expect(rows).toEqual([{ status: name, amount: 700, currency: 'UZS' }]);
  });

  test('says what it can do when it is asked for something else', async () => {
    await expect(command('trigger', 'refunded')).rejects.toThrow('paid, expired, canceled');
    await expect(command('trigger', 'paid', 'expired')).rejects.toThrow(
      'Unexpected argument: expired',
    );
    await expect(command('listen', 'paid')).rejects.toThrow('Unexpected argument: paid');
    const failing = command('trigger', 'paid', '--amount', '0');
    expect(explain(await failing.catch((error: unknown) => error))).toContain('amount: ');
  });

  test.each(['15.00', '1e3', '0x10', ' 15', '-1', 'much', ''])(
    'takes no amount but in digits: not “%s”',
    async (amount) => {
      const failing = command('trigger', 'paid', `--amount=${amount}`);
      const told = '--amount takes minor units, digits alone: 1500 in USD is 15.00 USD.';
      await expect(failing).rejects.toThrow(new UsageError(told));
    },
  );
});

describe('listen', () => {
  test('forwards callbacks as they are sent, and says what became of them', async () => {
    const { events, stop } = await listening('--json');
    const id = await trigger('paid', '--callback-url', 'http://localhost:1/nobody');
    expect(await gateway.deliver()).toMatchObject({ delivered: 1 });
    await until(() => events().length === 2);
    expect(events()[1]).toMatchObject({
      event: 'callback',
      invoice_id: id,
      attempt: 1,
      http_status: 200,
      verdict: { delivered: true, reason: null, next_attempt_in_ms: null },
    });
    const [received] = shop.received;
    const { body, headers } = received ?? { body: '', headers: {} };
    const { invoice } = await verifyCallback({ body, headers, secrets: TEST_SECRET });
    expect(invoice).toMatchObject({ invoice_id: id, status: 2 });
    await stop();
  });

  test('has failures tried again by the gateway, with the verdict of the contract', async () => {
    answer = (response, received, nth) => {
      if (nth > 1) return ACCEPT(response, received, nth);
      response.statusCode = 201;
      response.end('{"success":true}\u001b[31m');
    };
    const { printed, stop } = await listening();
    const id = await trigger('expired');
    await gateway.deliver();
    await until(() => printed.length === 2);
    expect(printed[1]).toMatch(new RegExp(`EXPIRED {2}${id} {2}attempt 1\n`));
    expect(printed[1]).toContain('201 {"success":true} [31m  (');
    expect(printed[1]).toContain('NOT delivered: answered 201, not 200; next attempt in 5 s');
    await gateway.deliver(new Date(Date.now() + (RETRY_DELAYS_MS[0] ?? 0) + 1_000));
    await until(() => printed.length === 3);
    expect(printed[2]).toMatch(/attempt 2\n.*200 \{"success":true\} .*\n +delivered$/);
    await stop();
  });

  test('tells a program that is not there from one that answers wrongly', async () => {
    const nobody = await openShop();
    await nobody.close();
    const controller = new AbortController();
    const printed: string[] = [];
    const ended = runCommand(['listen', '--forward-to', nobody.url], {
      print: (text) => printed.push(text),
      defaults: defaults(),
      signal: controller.signal,
    });
    await until(() => printed.length === 1);
    await trigger('canceled');
    await gateway.deliver();
    await until(() => printed.length === 2);
    expect(printed[1]).toContain('no answer: connect ECONNREFUSED');
    expect(printed[1]).toContain('NOT delivered: connection refused; next attempt in 5 s');
    controller.abort();
    await ended;
  });

  test('tells what is no HTTP, and what is no TLS, from an answer, and says why', async () => {
    const odd = createServer((socket) => {
      socket.once('data', () => socket.end('rubbish\r\n\r\n'));
    }).listen(0, '127.0.0.1');
    await once(odd, 'listening');
    const at = `127.0.0.1:${(odd.address() as AddressInfo).port}`;
    for (const [scheme, cause, verdict] of [
      ['http', 'no answer: Parse Error: Expected HTTP', 'the answer is not valid HTTP'],
      ['https', 'wrong version number', 'no secure connection'],
    ]) {
      const { printed, stop } = await listening('--forward-to', `${scheme}://${at}`);
      await trigger('paid');
      await gateway.deliver();
      await until(() => printed.length === 2);
      expect(printed[1]).toContain(cause);
      expect(printed[1]).toContain(`NOT delivered: ${verdict}`);
      await stop();
    }
    odd.close();
  });

  test('has an answer judged whose status no standard knows', async () => {
    answer = (response) => response.writeHead(999).end();
    const { printed, stop } = await listening();
    await trigger('paid');
    await gateway.deliver();
    await until(() => printed.length === 2);
    expect(printed[1]).toContain('NOT delivered: answered 999, not 200; next attempt in 5 s');
    await stop();
  });

  test('has an answer judged whose headers are longer than the gateway takes', async () => {
    answer = (response) => {
      const headers = { location: `/${'x'.repeat(3_000)}`, 'retry-after': '9'.repeat(3_000) };
      response.writeHead(302, headers).end();
    };
    const { printed, stop } = await listening();
    await trigger('paid');
    await gateway.deliver();
    await until(() => printed.length === 2);
    expect(printed[1]).toMatch(/NOT delivered: .*302.*\/xxx.*; next attempt in 10 s$/);
    await stop();
  });

  test('says that it does not know the verdict when the gateway’s answer is lost', async () => {
    const listens = () => gateway.requests.filter(({ url }) => url.endsWith('/listen')).length;
    const { printed, events, stop } = await listening('--json');
    const before = listens();
    answer = (response, received, nth) => {
      // The listener waits for the next callback again, so its next request is this answer.
      void until(() => listens() > before).then(() => {
        gateway.trouble.push('answer lost');
        ACCEPT(response, received, nth);
      });
    };
    await trigger('paid');
    await gateway.deliver();
    await until(() => printed.length === 2);
    expect(events()[1]).toMatchObject({ http_status: 200, verdict: null });
    expect(printed[1]).toContain('"trouble":"The gateway cannot be reached');
    await stop();
  });

  test('replays a callback that was delivered long ago, by either of its ids', async () => {
    const id = await trigger('paid', '--callback-url', shop.url);
    await gateway.deliver();
    expect(shop.received).toHaveLength(1);
    const webhookId = id.replace('inv_', 'msg_');
    const { events, stop } = await listening('--json', '--replay', webhookId);
    await until(async () => (await gateway.deliver()).attempted === 1);
    await until(() => events().length === 2);
    expect(events()[1]).toMatchObject({ invoice_id: id, attempt: 2, verdict: { delivered: true } });
    expect(shop.received[1]?.headers['webhook-id']).toBe(webhookId);
    await stop();
    const audit = "SELECT actor_type FROM audit_log WHERE action = 'callback.resend'";
    expect((await gateway.database.pool.query(audit)).rows).toEqual([{ actor_type: 'test' }]);
    const other = await listening('--json', '--replay', 'inv_none');
    await until(() => other.events().length === 2);
    expect(other.events()[1]).toMatchObject({ event: 'replay_failed' });
    await other.stop();
  });

  test('once ended leaves callbacks to their addresses, at once', async () => {
    const { stop } = await listening();
    await stop();
    await trigger('paid', '--callback-url', shop.url);
    expect(await gateway.deliver()).toEqual({ attempted: 1, delivered: 1 });
    expect(shop.received).toHaveLength(1);
  });

  test('gives way to a newer listener and says so', async () => {
    const older = await listening();
    const newer = await listening();
    const error = await older.ended.catch((reason: unknown) => reason);
    expect(explain(error)).toBe('Another listener has taken over (conflict)');
    await newer.stop();
  });

  test('is no business of production, and needs the right token', async () => {
    const url = `${gateway.origin}/api/production/test/callback/listen`;
    const { production } = gateway.merchant;
    expect((await call(url, { credentials: production, body: {} })).status).toBe(404);
    const production404 = command('listen', '--base-url', url.replace('/test/callback/listen', ''));
    await expect(production404).rejects.toThrow('only in the sandbox');
    const wrong = command('listen', '--forward-to', shop.url, '--token', 'wrong');
    expect(explain(await wrong.catch((error: unknown) => error))).toBe(
      'Unauthorized (unauthorized)',
    );
  });
});

test('waiting for callbacks passes neither for slowness nor for a request of a person’s', async () => {
  const { stop } = await listening();
  await trigger('paid');
  await stop();
  const counted = metrics().requests.render();
  expect(counted).toContain('route="/invoice/create"');
  expect(counted).not.toContain('/test/callback/listen');
  const sql = "SELECT count(*)::int AS n FROM api_requests WHERE path LIKE '%' || $1";
  const rowsOf = async (path: string) => (await gateway.database.pool.query(sql, [path])).rows[0].n;
  await until(async () => (await rowsOf('/test/invoice/pay')) > 0);
  expect(await rowsOf('/test/callback/listen')).toBe(0);
});

test('help and mistakes are told in words', async () => {
  expect(await command('--help')).toContain('--forward-to URL');
  await expect(command('watch')).rejects.toThrow(UsageError);
  await expect(command('listen')).rejects.toThrow('--forward-to is missing');
  for (const address of ['nowhere', 'localhost:4000/callback', 'http://me:secret@localhost:4000']) {
    const failing = command('listen', '--forward-to', address);
    await expect(failing).rejects.toThrow('--forward-to must be like http://localhost:4000');
  }
  await expect(command('listen', '--nonsense')).rejects.toThrow(UsageError);
  const unknown = command('trigger', 'paid', '--nonsense=1');
  await expect(unknown).rejects.toThrow(/^Unknown option --nonsense\. See --help/);
});
