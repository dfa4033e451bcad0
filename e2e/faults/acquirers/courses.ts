import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '../client.ts';
import type { FaultyGateway } from '../gateway.ts';
import type { Random } from '../random.ts';
import { type Account, type Buyer, payUntilFinal } from './buyer.ts';

/** What somebody does about an invoice; in the end it is final. */
export type Course = (about: {
  gateway: FaultyGateway;
  buyer: Buyer;
  client: Client;
  random: Random;
  /** All of the merchant's accounts for the invoice's currency. */
  accounts: readonly Account[];
  one: Account;
  /** May be the same account: a second tab. */
  other: Account;
}) => Promise<void>;

const pay: Course = ({ buyer, client, accounts, one, random }) =>
  buyer.go(one, 'pay').then(() => payUntilFinal(buyer, client, accounts, random));

const decline: Course = async (about) => {
  await about.buyer.go(about.one, 'decline');
  await pay({ ...about, one: about.other });
};

/**
 * The buyer leaves the acquirer's page, and what is reserved or open there lasts its full time. The
 * invoice is then free for another method, and the first acquirer comes too late.
 */
const leave: Course = async (about) => {
  const { gateway, buyer, one } = about;
  const url = await buyer.start(one);
  if (url !== null) await buyer.press(one, url, 'leave');
  await letTimePass(gateway, [buyer.invoiceId]);
  await pay({ ...about, one: about.other });
  if (url !== null) await buyer.press(one, url, 'pay');
};

const twoAtOnce: Course = async (about) => {
  const { buyer, one, other } = about;
  await Promise.all([buyer.go(one, 'pay'), buyer.go(other, 'pay')]);
  await pay(about);
};

/** The sandbox's own card is the other method. */
const besideCard: Course = async (about) => {
  const { buyer, client, one } = about;
  const body = { invoice_id: buyer.invoiceId };
  const byCard = client.until(
    () => client.once('POST', '/test/invoice/pay', body),
    ({ text, body: { data } }) => text.includes('already PAID') || data?.status === 2,
  );
  await Promise.all([buyer.go(one, 'pay'), byCard]);
};

/** The merchant cancels while the buyer pays: one of the two comes first. */
const besideCancel: Course = async (about) => {
  const { buyer, client, random, one } = about;
  const cancel = async () => {
    await sleep(500 * random.next());
    const body = { invoice_id: buyer.invoiceId };
    await client.until(
      () => client.once('POST', '/invoice/cancel', body),
      ({ status, text }) => status === 200 || text.includes('already PAID'),
    );
  };
  await Promise.all([buyer.go(one, 'pay'), cancel()]);
};

/** The invoice ends while the buyer is at the acquirer. */
const besideEnd: Course = async ({ gateway, buyer, random, one }) => {
  const url = await buyer.start(one);
  const endMs = Date.now() + 1_500 * random.next();
  await change(gateway, 'UPDATE invoices SET end_date = $2 WHERE id = ANY ($1)', [
    [buyer.invoiceId],
    new Date(endMs),
  ]);
  await sleep(Math.max(0, endMs - Date.now() - 200 * random.next()));
  if (url !== null) await buyer.press(one, url, 'pay');
};

/** The courses by their names, the likelier ones several times. */
export const COURSES: readonly Course[] = [
  pay,
  pay,
  decline,
  leave,
  leave,
  twoAtOnce,
  twoAtOnce,
  besideCard,
  besideCancel,
  besideEnd,
];

/** Changes rows, also while PostgreSQL is away for a moment. */
async function change(gateway: FaultyGateway, text: string, values: unknown[]): Promise<void> {
  for (let tries = 0; ; tries++) {
    try {
      await gateway.query(text, values);
      return;
    } catch (error) {
      if (tries === 100) throw error;
      await sleep(100);
    }
  }
}

/** An hour passes for the open attempts of some invoices: no hold and no acquirer's page lasts longer. */
export async function letTimePass(
  gateway: FaultyGateway,
  invoiceIds: readonly string[],
): Promise<void> {
  await change(
    gateway,
    `UPDATE payment_attempts
     SET created_at = created_at - interval '61 minutes',
         recover_at = recover_at - interval '61 minutes'
     WHERE invoice_id = ANY ($1) AND status <> 'authorising' AND recover_at IS NOT NULL`,
    [invoiceIds],
  );
}
