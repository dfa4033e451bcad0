import { setTimeout as sleep } from 'node:timers/promises';
import { issueToken } from '#server/merchants/mutations.ts';
import { SCOPES } from '#server/merchants/types.ts';
import type { StandInPayment } from '#server/testing/acquirers/books.ts';
import { type Connected, connect } from '../acquirers/accounts.ts';
import { type Account, Buyer, statusOf } from '../acquirers/buyer.ts';
import type { RefundDesk } from '../acquirers/refund-desks.ts';
import type { Acquirer } from '../acquirers/stand-ins.ts';
import { Client, createSum, inLanes, type Merchant } from '../client.ts';
import type { FaultyGateway } from '../gateway.ts';
import { Random } from '../random.ts';

/** A PAID invoice and where its money is; `at` is null for the sandbox's own card. */
export type Paid = {
  invoiceId: string;
  client: Client;
  amountMinor: number;
  random: Random;
  at: { provider: string; desk: RefundDesk; payment: StandInPayment } | null;
};

const LANES = 16;
const PAID_WITHIN_MS = 60_000;

/** Gives each merchant a token that may give money back. */
async function withRefunds(
  gateway: FaultyGateway,
  merchants: readonly Merchant[],
): Promise<Merchant[]> {
  return await gateway.withDatabase((pool) =>
    Promise.all(
      merchants.map(async ({ id, tokens }) => {
        const { token } = await issueToken(pool, {
          merchantId: id,
          environment: 'sandbox',
          name: 'Refunds',
          scopes: SCOPES,
          actor: { type: 'operator', id: null, label: 'fault suite' },
          now: new Date(),
        });
        return { id, tokens: { ...tokens, sandbox: token } };
      }),
    ),
  );
}

async function untilPaid(client: Client, invoiceId: string): Promise<void> {
  const deadline = Date.now() + PAID_WITHIN_MS;
  while ((await statusOf(client, invoiceId)) !== 2) {
    if (Date.now() > deadline) throw new Error(`${invoiceId} is not paid`);
    await sleep(50);
  }
}

/** Pays an invoice at an acquirer. @returns the payment there */
async function payAt(
  gateway: FaultyGateway,
  { client, invoiceId, random }: Omit<Paid, 'at' | 'amountMinor'>,
  account: Account,
): Promise<StandInPayment> {
  const tally = { starts: 0, faults: 0, unanswered: 0 };
  const buyer = new Buyer(gateway, { invoiceId, random, tally, faults: 0 });
  if (!(await buyer.go(account, 'pay'))) throw new Error(`${invoiceId}: ${buyer.refusal}`);
  await untilPaid(client, invoiceId);
  const payments = account.acquirer.books();
  const payment = payments.find(
    (each) => each.invoiceId === invoiceId && each.state === 'succeeded',
  );
  if (!payment) throw new Error(`${invoiceId} is not paid at ${account.acquirer.provider}`);
  return payment;
}

/** Makes PAID invoices, as many of the sandbox's card as of each acquirer. */
export async function makePaid(
  gateway: FaultyGateway,
  given: { invoices: number; seed: number; acquirers: readonly Acquirer[]; callbackUrl: string },
): Promise<Paid[]> {
  const { invoices, seed, acquirers, callbackUrl } = given;
  const connected: Connected[] = await connect(gateway, acquirers);
  const merchants = await withRefunds(
    gateway,
    connected.map(({ merchant }) => merchant),
  );
  const paid: Paid[] = [];
  const items = Array.from({ length: invoices }, (_, index) => index);
  await inLanes(items, LANES, async (index) => {
    const place = index % (acquirers.length + 1);
    const number = Math.floor(index / (acquirers.length + 1)) % connected.length;
    const [merchant, account] = [merchants[number], connected[number]?.accounts[place]];
    if (!merchant) throw new Error('no merchant');
    const client = new Client(gateway, merchant);
    const random = Random.of(seed, `refunds ${index}`);
    const amountMinor = 100_000 + index;
    const currency = account?.acquirer.currency ?? 'USD';
    const sum = { amount: amountMinor, currency, callbackUrl };
    const invoiceId = await createSum(client, `refunds-${index}`, sum);
    const made = { invoiceId, client, amountMinor, random };
    if (!account) {
      await client.until(() => client.once('POST', '/test/invoice/pay', { invoice_id: invoiceId }));
      paid.push({ ...made, at: null });
      return;
    }
    const payment = await payAt(gateway, made, account);
    const { provider, refunds: desk } = account.acquirer;
    paid.push({ ...made, at: { provider, desk, payment } });
  });
  return paid;
}
