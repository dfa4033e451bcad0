import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectItTurnsStrangersAway } from '../e2e/endpoint-contract.ts';
import { installClient, installExpressShop } from '../e2e/express-shop.ts';
import { type SmallGateway, startSmallGateway } from '../e2e/small-gateway.ts';
import { signature, signingKey } from '../server/callbacks/http/sign.ts';
import { childEnvironment, projectRoot } from '../server/settings/settings.ts';
import { TEST_SECRET, until } from '../server/testing/callbacks.ts';
import { freePort } from '../server/testing/ports.ts';
import { call } from '../server/testing/rest-client.ts';

const SLOW_MS = 120_000;

let gateway: SmallGateway;
let folder: string;

beforeAll(async () => {
  gateway = await startSmallGateway();
  folder = await installExpressShop(installClient);
}, SLOW_MS);

afterAll(async () => {
  await gateway.close();
  await rm(folder, { recursive: true, force: true });
});

function isHere(program: string): boolean {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

type Shop = { url: string; output(): string; process: ChildProcess };

type Command = () => [program: string, ...args: string[]];

/** A shop's environment variables. */
const told = (port: string, secrets: string) =>
  childEnvironment({
    PORT: port,
    GATEWAY_BASE_URL: gateway.baseUrl,
    GATEWAY_MERCHANT_ID: gateway.merchant.id,
    GATEWAY_TOKEN: gateway.token,
    GATEWAY_WEBHOOK_SECRET: secrets,
  });

async function open(command: Command, secrets = TEST_SECRET): Promise<Shop> {
  const port = String(await freePort());
  const [program, ...args] = command();
  const child = spawn(program, args, {
    env: told(port, secrets),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const keep = (data: Buffer) => {
    output += data;
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  // The whole line: Python without buffering writes the line end separately.
  await until(() => /^the shop is open on .+\n/m.test(output), SLOW_MS / 2);
  return { url: `http://localhost:${port}`, output: () => output, process: child };
}

async function close({ process: child }: Shop): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

const PYTHON_SHOP = path.join(projectRoot(), 'examples', 'python', 'shop.py');

const SHOPS: { name: string; here: boolean; command: Command }[] = [
  {
    name: 'Express',
    here: true,
    command: () => [process.execPath, path.join(folder, 'shop.js')],
  },
  {
    name: 'Python',
    here: isHere('python3'),
    command: () => ['python3', PYTHON_SHOP],
  },
];

type Bought = { id: string; invoiceId: string };

/** A buyer presses "Buy" and is sent to the payment page. */
async function buy(shop: Shop): Promise<Bought> {
  const answer = await fetch(`${shop.url}/orders`, { method: 'POST', redirect: 'manual' });
  expect(answer.status).toBe(303);
  const invoiceId = answer.headers.get('location')?.split('/pay/')[1] ?? '';
  const sql = 'SELECT merchant_transaction_id AS id FROM invoices WHERE id = $1';
  const { rows } = await gateway.database.pool.query<{ id: string }>(sql, [invoiceId]);
  return { id: rows[0]?.id ?? '', invoiceId };
}

const pageOf = async (shop: Shop, { id }: Bought, rest = '') =>
  (await fetch(`${shop.url}/orders/${id}${rest}`)).text();

const drive = (bought: Bought, to: 'pay' | 'expire') =>
  call(`${gateway.baseUrl}/test/invoice/${to}`, {
    credentials: gateway.merchant.sandbox,
    body: { invoice_id: bought.invoiceId },
  });

/** Sends a notification as the gateway would, or as somebody without the secret would. */
function notify(shop: Shop, body: object, { secret = TEST_SECRET, id = 'msg_forged' } = {}) {
  const bytes = Buffer.from(JSON.stringify(body));
  const timestampS = Math.floor(Date.now() / 1_000);
  return fetch(`${shop.url}/gateway/callback`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(timestampS),
      'webhook-signature': signature([signingKey(secret)], id, timestampS, bytes),
    },
    body: bytes,
  });
}

const paid = ({ id, invoiceId }: Bought, amount = 1250) => ({
  invoice_id: invoiceId,
  status: 2,
  amount,
  currency: 'USD',
  merchant_transaction_id: id,
});

const refusal = (status: number, message: string, retryAfter?: string) => ({
  status,
  body: JSON.stringify({ result: false, data: null, error: { message, error_code: status } }),
  ...(retryAfter && { headers: { 'retry-after': retryAfter } }),
});

for (const { name, here, command } of SHOPS) {
  const reason = here ? '' : ' (cannot be run: its language is not on this machine)';
  describe.runIf(here)(`the shop in ${name}${reason}`, () => {
    let shop: Shop;
    beforeAll(async () => {
      shop = await open(command);
    }, SLOW_MS);
    afterAll(() => close(shop));

    test('releases an order when its callback says PAID, and takes a repeat for what it is', async () => {
      const order = await buy(shop);
      expect(await pageOf(shop, order)).toContain('One moment');
      const left = await pageOf(shop, order, '/not-paid');
      expect(left).toContain('is not paid yet');
      expect(left).not.toContain('nothing was charged');
      await drive(order, 'pay');
      expect(await gateway.deliver()).toEqual({ attempted: 1, delivered: 1 });
      expect(await pageOf(shop, order)).toContain('Thank you');
      expect(shop.output()).toContain(`${order.id}: paid`);
      const id = `msg_${order.invoiceId.slice('inv_'.length)}`;
      const repeat = await notify(shop, paid(order), { id });
      expect([repeat.status, await repeat.json()]).toEqual([200, { success: true }]);
      await until(() => shop.output().includes(`${order.id}: a repeat`));
    });

    test('does not lose an order whose create was answered into the void', async () => {
      gateway.trouble.push(
        'answer lost',
        { status: 200, body: '{"resu', headers: { 'content-length': '400', connection: 'close' } },
        refusal(503, 'Service is busy'),
        refusal(408, 'Request did not arrive in time'),
      );
      const order = await buy(shop);
      expect(order.id).toMatch(/^order-/);
    });

    test('tells its buyer that it cannot be paid when a stranger answers for the gateway', async () => {
      const asked = gateway.requests.length;
      const bodies = ['<h1>Welcome</h1>', '[]', '{"result":true,"data":null}', '{"result":true}'];
      for (const body of bodies) {
        gateway.trouble.push({ status: 200, body });
        const answer = await fetch(`${shop.url}/orders`, { method: 'POST', redirect: 'manual' });
        expect(answer.status).toBe(502);
        expect(await answer.text()).toContain('Payment is not possible right now');
      }
      expect(gateway.requests.length - asked).toBe(bodies.length);
    });

    test('does not keep its buyer waiting for longer than half a minute', async () => {
      const asked = gateway.requests.length;
      gateway.trouble.push(refusal(429, 'Too many requests', '31'));
      const answer = await fetch(`${shop.url}/orders`, { method: 'POST', redirect: 'manual' });
      expect([answer.status, gateway.requests.length - asked]).toEqual([502, 1]);
    });

    test('refuses what is not signed with the secret, and believes nothing of it', async () => {
      const order = await buy(shop);
      const secret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
      const answer = await notify(shop, paid(order), { secret });
      expect([answer.status, await answer.json()]).toEqual([401, { success: false }]);
      expect(await pageOf(shop, order)).toContain('One moment');
    });

    test('takes space around and between its secrets for none, and no empty key for one', async () => {
      const other = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
      const spaced = await open(command, ` ${other}  ${TEST_SECRET}\t\n`);
      const order = await buy(spaced);
      const forged = await notify(spaced, paid(order), { secret: 'whsec_' });
      expect([forged.status, await forged.json()]).toEqual([401, { success: false }]);
      expect((await notify(spaced, paid(order), { id: 'msg_genuine' })).status).toBe(200);
      expect(await pageOf(spaced, order)).toContain('Thank you');
      await close(spaced);
    });

    test('refuses what strangers send in forms that no HTTP library writes', async () => {
      await expectItTurnsStrangersAway(Number(new URL(shop.url).port), '/gateway/callback');
    });

    test('does not release an order that was paid with another amount', async () => {
      const order = await buy(shop);
      const answer = await notify(shop, paid(order, 1), { id: `msg_${order.id}` });
      expect(answer.status).toBe(200);
      await until(() => shop.output().includes(`${order.id}: to be looked at`));
      for (const rest of ['', '/not-paid']) {
        const page = await pageOf(shop, order, rest);
        expect(page).toContain('We are looking at your payment');
        expect(page).not.toMatch(/Thank you|nothing was charged|http-equiv="refresh"/);
      }
    });

    test('keeps an expired order unpaid, and acknowledges what is not its own', async () => {
      const order = await buy(shop);
      await drive(order, 'expire');
      expect(await gateway.deliver()).toEqual({ attempted: 1, delivered: 1 });
      for (const rest of ['', '/not-paid']) {
        const page = await pageOf(shop, order, rest);
        expect(page).toContain('was not paid; nothing was charged');
        expect(page).not.toContain('http-equiv="refresh"');
      }
      const stranger = { id: 'order-of-somebody', invoiceId: 'inv_1' };
      expect((await notify(shop, paid(stranger), { id: 'msg_stranger' })).status).toBe(200);
    });
  });
}

const NO_SECRETS = ['whsec_', ' ', `${TEST_SECRET} whsec_`, 'whsec_%%%%', 'whsec_secret!'];

test.runIf(isHere('python3')).each(NO_SECRETS)(
  'the shop in Python does not open with "%s" for its secret',
  async (secrets) => {
    const env = told(String(await freePort()), secrets);
    const options = { env, encoding: 'utf8', timeout: SLOW_MS / 8 } as const;
    const { status, stderr } = spawnSync('python3', [PYTHON_SHOP], options);
    expect([status, stderr]).toEqual([
      1,
      expect.stringMatching(/^GATEWAY_WEBHOOK_SECRET must be /),
    ]);
  },
);

test.runIf(isHere('python3'))('the shop in Python ends at Ctrl-C without a complaint', async () => {
  const shop = await open(() => ['python3', PYTHON_SHOP]);
  const ended = once(shop.process, 'close');
  shop.process.kill('SIGINT');
  expect(await ended).toEqual([0, null]);
  expect(shop.output()).toBe(`the shop is open on ${shop.url}\n`);
});

test.runIf(isHere('python3'))('the shop in Python takes a refusal that is cut off', async () => {
  const shop = await open(() => ['python3', PYTHON_SHOP]);
  const headers = { 'content-length': '400', connection: 'close' };
  gateway.trouble.push({ status: 422, body: '{"det', headers });
  const answer = await fetch(`${shop.url}/orders`, { method: 'POST', redirect: 'manual' });
  expect(answer.status).toBe(502);
  await until(() => shop.output().includes('422: its text did not arrive'));
  await close(shop);
});

/** Runs a program that prints how long it would sleep, and does not sleep. */
const SLEEPLESS = `import runpy, sys, time
time.sleep = lambda pause_s: print(f"a pause of {pause_s:g}", flush=True)
runpy.run_path(sys.argv[1], run_name="__main__")`;

test.runIf(isHere('python3'))('the shop in Python waits as long as Retry-After says', async () => {
  const shop = await open(() => ['python3', '-c', SLEEPLESS, PYTHON_SHOP]);
  gateway.trouble.push(
    refusal(429, 'Too many requests', '7'),
    refusal(503, 'Service is busy', '0'),
    refusal(408, 'Request did not arrive in time'),
  );
  await buy(shop);
  const pauses = () => shop.output().match(/(?<=a pause of )\S+/g);
  await expect.poll(pauses).toEqual(['7', '0.5', '1']);
  await close(shop);
});
