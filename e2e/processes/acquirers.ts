import { expect, test } from '@playwright/test';
import { STATUS_CODES } from '#server/invoices/types.ts';
import { childEnvironment } from '#server/settings/settings.ts';
import { ClickDriver, type ClickOrder } from '#server/testing/acquirers/click.ts';
import { MulticardStandIn } from '#server/testing/acquirers/multicard.ts';
import { MULTICARD_LIVES, type MulticardShop } from '#server/testing/acquirers/multicard-life.ts';
import { PaymeDriver, type PaymeOrder } from '#server/testing/acquirers/payme.ts';
import { runGateway } from '#server/testing/gateway-command.ts';
import { Client, invoiceBody } from '../faults/client.ts';
import { type Receiver, startReceiver } from '../faults/receiver.ts';

/** What a first start has told its operator. */
export type StartedGateway = {
  dataDir: string;
  publicUrl: string;
  merchantId: string;
  sandboxToken: string;
};

const SECRET = 'known to both';
const CREDENTIALS = {
  payme: { merchant_id: '587f72c72cac0d162c722ae2', key: SECRET },
  click: { merchant_id: '777', service_id: '12345', merchant_user_id: '42', secret_key: SECRET },
  multicard: {
    store_id: '6',
    application_id: 'app',
    secret: SECRET,
    mxik: '01234567890123456',
    package_code: '1500000',
  },
};
type Provider = keyof typeof CREDENTIALS;
const PROVIDERS = Object.keys(CREDENTIALS) as Provider[];

const AMOUNT_MINOR = 150_000;
const NAMES = Object.fromEntries(Object.entries(STATUS_CODES).map(([name, code]) => [code, name]));

/** A merchant's server, and its acquirers', at a gateway. */
class Shop implements MulticardShop {
  readonly accounts = new Map<Provider, { account_id: string; hook_url: string }>();
  private readonly client: Client;
  private readonly gateway: StartedGateway;
  private readonly receiver: Receiver;
  private orders = 0;

  constructor(gateway: StartedGateway, receiver: Receiver) {
    const { publicUrl, merchantId, sandboxToken } = gateway;
    this.gateway = gateway;
    this.receiver = receiver;
    const tokens = { sandbox: sandboxToken, production: '' };
    this.client = new Client({ origin: publicUrl }, { id: merchantId, tokens });
  }

  /** By the operator's command, with the credentials on its standard input. */
  async connect(provider: Provider): Promise<void> {
    const { dataDir, merchantId } = this.gateway;
    const args = ['acquirer', 'connect', merchantId, 'sandbox', provider, '--json'];
    const env = childEnvironment({ DATA_DIR: dataDir, DATABASE_URL: '' });
    const credentials = JSON.stringify(CREDENTIALS[provider]);
    const { code, stdout, stderr } = await runGateway(args, env, credentials);
    expect(code, stderr).toBe(0);
    this.accounts.set(provider, JSON.parse(stdout));
  }

  hookOf(provider: Provider): string {
    return this.accounts.get(provider)?.hook_url ?? '';
  }

  /** Posts to a hook as an acquirer does; only a good answer has a text. */
  async post(provider: Provider, body: string, headers: Record<string, string>): Promise<string> {
    const answer = await fetch(this.hookOf(provider), { method: 'POST', body, headers });
    expect(answer.status).toBe(200);
    return await answer.text();
  }

  payme(): PaymeDriver {
    const send = (body: string, authorization: string) =>
      this.post('payme', body, { 'content-type': 'text/json; charset=UTF-8', authorization });
    return new PaymeDriver(send, { key: SECRET, clock: () => new Date() });
  }

  click(): ClickDriver {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const send = (body: string) => this.post('click', body, headers);
    return new ClickDriver(send, { serviceId: '12345', secretKey: SECRET });
  }

  async newInvoice(): Promise<string> {
    this.orders += 1;
    const currency = 'UZS';
    const body = {
      ...invoiceBody(`order-${this.orders}`, Date.now() + 3_600_000, this.receiver.url),
      amount: AMOUNT_MINOR,
      currency,
      positions: [{ title: 'Ticket', amount: AMOUNT_MINOR, currency }],
    };
    const answer = await this.client.once('POST', '/invoice/create', body);
    expect(answer?.status, answer?.text).toBe(200);
    return String(answer?.body.data?.invoice_id);
  }

  async newInvoices(count: number): Promise<string[]> {
    return await Promise.all(Array.from({ length: count }, () => this.newInvoice()));
  }

  async statusOf(invoiceId: string): Promise<string | undefined> {
    const answer = await this.client.once('GET', `/invoice/status?invoice_id=${invoiceId}`);
    return NAMES[Number(answer?.body.data?.status)];
  }

  async cancel(invoice_id: string): Promise<void> {
    const answer = await this.client.once('POST', '/invoice/cancel', { invoice_id });
    expect(answer?.status, answer?.text).toBe(200);
  }

  /** Presses Multicard's button on the payment page, without script. */
  async start(invoiceId: string): Promise<string> {
    const { publicUrl } = this.gateway;
    const method = this.accounts.get('multicard')?.account_id ?? '';
    const answer = await fetch(`${publicUrl}/pay/${invoiceId}/start`, {
      method: 'POST',
      headers: { origin: publicUrl },
      body: new URLSearchParams({ method }),
      redirect: 'manual',
    });
    expect(answer.status).toBe(303);
    return answer.headers.get('location')?.split('/').at(-1) ?? '';
  }

  /** Each is PAID, and its callback was delivered once by the worker. */
  async expectPaid(invoiceIds: readonly string[]): Promise<void> {
    const statuses = await Promise.all(invoiceIds.map((id) => this.statusOf(id)));
    expect(new Set(statuses)).toEqual(new Set(['PAID']));
    const { arrivals } = this.receiver;
    await expect.poll(() => invoiceIds.filter((id) => !arrivals.get(id)?.accepted)).toEqual([]);
    for (const id of invoiceIds) {
      expect(arrivals.get(id)).toMatchObject({ accepted: 1, statuses: new Set([2]) });
    }
  }
}

const paymeOrder = (account: string): PaymeOrder => ({
  field: 'invoice_id',
  account,
  amount: AMOUNT_MINOR,
});
const clickOrder = (invoiceId: string): ClickOrder => ({ invoiceId, amount: '1500.00' });

/**
 * The scenarios that acquirers prescribe, over HTTP, at a gateway that runs.
 *
 * @param gateway read when the tests run
 * @param multicardPort where the gateway looks for Multicard
 */
export function testAcquirers(gateway: () => StartedGateway, multicardPort: () => number): void {
  let receiver: Receiver;
  let bank: MulticardStandIn;
  let shop: Shop;

  test.beforeAll(async () => {
    receiver = await startReceiver(() => 'accept');
    bank = new MulticardStandIn(SECRET);
    await bank.listen(multicardPort());
    shop = new Shop(gateway(), receiver);
    await Promise.all(PROVIDERS.map((provider) => shop.connect(provider)));
  });
  test.afterAll(async () => {
    await bank.close();
    await receiver.close();
  });

  test('Payme’s two scenarios are answered as its sandbox wants', async () => {
    const payme = shop.payme();
    await payme.expectRefusals();
    const [first = '', second = ''] = await shop.newInvoices(2);
    await payme.cancelUnperformed(paymeOrder(first));
    expect(await shop.statusOf(first)).toBe('PENDING');
    await payme.cancelPerformed(paymeOrder(first));
    await payme.perform(paymeOrder(second));
    await shop.expectPaid([second]);
  });

  test('Click’s fifteen scenarios are answered as it prescribes', async () => {
    const [first = '', second = '', third = ''] = await shop.newInvoices(3);
    await shop.click().runAll([clickOrder(first), clickOrder(second), clickOrder(third)]);
    await shop.expectPaid([first, second]);
    expect(await shop.statusOf(third)).toBe('PENDING');
  });

  for (const [outcome, live] of Object.entries(MULTICARD_LIVES)) {
    test(`Multicard: ${outcome}`, () => live(bank, shop));
  }

  test('of two hundred calls at once for different invoices none is lost', async () => {
    const ids = await shop.newInvoices(200);
    await Promise.all([
      shop.payme().performAll(ids.slice(0, 100).map(paymeOrder)),
      shop.click().payAll(ids.slice(100).map(clickOrder)),
    ]);
    await shop.expectPaid(ids);
  });

  test('fifty repeats of a call at once have one effect, and answers alike to the byte', async () => {
    const [first = '', second = ''] = await shop.newInvoices(2);
    await shop.payme().repeatAll(paymeOrder(first));
    await shop.click().repeatAll(clickOrder(second));
    await shop.expectPaid([second]);
  });

  test('what is no call is refused in each protocol, and no account is 404 without a word', async () => {
    const long = 'x'.repeat(64 * 1024 + 1);
    const nobody = `acq_${'0'.repeat(35)}`;
    for (const provider of PROVIDERS) {
      const hook = shop.hookOf(provider);
      const post = (url: string, body: string) => fetch(url, { method: 'POST', body });
      expect((await post(hook, long)).status).toBe(413);
      const accountId = shop.accounts.get(provider)?.account_id ?? '';
      const other = provider === 'payme' ? 'click' : 'payme';
      for (const url of [
        hook.replace(accountId, nobody),
        hook.replace(accountId, 'acq_1'),
        hook.replace(`/${provider}/`, `/${other}/`),
      ]) {
        const answer = await post(url, '{}');
        expect([answer.status, await answer.text()]).toEqual([404, '']);
      }
    }
    const payme = await fetch(shop.hookOf('payme'));
    expect([payme.status, (await payme.json()).error.code]).toEqual([200, -32300]);
    for (const body of ['', '{}', 'click_trans_id=x', 'click_trans_id=%ff&action=0']) {
      expect(JSON.parse(await shop.post('click', body, {})).error).toBe(-8);
    }
    for (const body of ['', '{', '[]', '{"uuid":1}']) {
      const answer = await fetch(shop.hookOf('multicard'), { method: 'POST', body });
      expect([answer.status, await answer.json()]).toEqual([403, { success: false }]);
    }
  });
}
