import { setTimeout as sleep } from 'node:timers/promises';
import type { Paid } from './paid.ts';

/** What the merchants of a run asked for, and what they were answered. */
export type Tally = {
  asked: number;
  repeats: number;
  taken: number;
  refused: number;
  /** The answers that should not have been. */
  wrong: string[];
  /** By invoice: how many of fifty at once fit. */
  fitting: Map<string, number>;
};

type Wish = { amount?: number; reason?: string };

const CROWD = 50;
const TRY_FOR_MS = 120_000;
const REASONS = ['', 'Broken', 'test:fail', 'test:pending'] as const;

let serial = 0;

/**
 * A merchant's server that asks for refunds of one invoice, each twice at once now and then, and
 * again after any fault of ours.
 */
class Asker {
  private readonly paid: Paid;
  private readonly tally: Tally;

  constructor(paid: Paid, tally: Tally) {
    this.paid = paid;
    this.tally = tally;
  }

  /** Asks once under an id, with a key of its own or none. @returns the refund; null if refused */
  async ask(wish: Wish, isRepeated = false): Promise<string | null> {
    serial += 1;
    const transactionId = `refund-${serial}`;
    const key = this.paid.random.next() < 0.5 ? transactionId : undefined;
    const send = () => this.send(wish, transactionId, key);
    this.tally.asked += 1;
    if (!isRepeated) return this.count(await send());
    this.tally.repeats += 1;
    const [first, second] = await Promise.all([send(), send()]);
    // Without a key, the second may find room that a refund failed meanwhile has left.
    const isFreed = key === undefined && (first === null || second === null);
    if (first !== second && !isFreed) {
      this.tally.wrong.push(`${transactionId}: ${first}, then ${second}`);
    }
    return this.count(first ?? second);
  }

  private count(refundId: string | null): string | null {
    if (refundId === null) this.tally.refused += 1;
    else this.tally.taken += 1;
    return refundId;
  }

  private async send(
    { amount, reason }: Wish,
    transactionId: string,
    key: string | undefined,
  ): Promise<string | null> {
    const { client, invoiceId } = this.paid;
    const body = {
      invoice_id: invoiceId,
      refund_transaction_id: transactionId,
      ...(amount !== undefined && { amount }),
      ...(reason !== undefined && { reason }),
    };
    const post = () => client.once('POST', '/invoice/refund', body, key);
    const { status, text, body: answered } = await client.until(post);
    if (status === 200) return String(answered.data?.refund_id);
    if (status !== 409) throw new Error(text);
    // The first of the two, or one whose answer was lost.
    if (text.includes('already exists')) return await this.find(transactionId);
    return null;
  }

  private async find(transactionId: string): Promise<string> {
    const { client, invoiceId } = this.paid;
    const list = () => client.once('GET', `/invoice/refunds?invoice_id=${invoiceId}`);
    const { body, text } = await client.until(list);
    const refunds = body.data?.refunds as Record<string, unknown>[];
    const found = refunds.find((each) => each.refund_transaction_id === transactionId);
    if (!found) throw new Error(`${transactionId} exists, and is not in ${text}`);
    return String(found.refund_id);
  }
}

type Plan = (asker: Asker, paid: Paid, tally: Tally) => Promise<void>;

const share = ({ random, amountMinor }: Paid, most: number) =>
  1 + Math.floor(amountMinor * most * random.next());

/** Fifty parts at once, of which not all fit. Multicard gives one after the other, so fewer do. */
const fifty: Plan = async (asker, { at, amountMinor, invoiceId }, tally) => {
  const fitting = at?.provider === 'multicard' ? 5 : 33;
  const amount = Math.floor(amountMinor / fitting);
  tally.fitting.set(invoiceId, fitting);
  await Promise.all(Array.from({ length: CROWD }, () => asker.ask({ amount })));
};

/** A few parts, each asked for twice at once. */
const parts: Plan = async (asker, paid) => {
  for (let round = 0; round < 2; round++) {
    const wishes = Array.from({ length: 3 }, () => {
      const reason = paid.at === null ? paid.random.pick(REASONS) : '';
      return { amount: share(paid, 0.3), ...(reason && { reason }) };
    });
    await Promise.all(wishes.map((wish) => asker.ask(wish, true)));
  }
};

/** All that is left, three times at once. */
const whole: Plan = async (asker, paid, tally) => {
  const { at, amountMinor } = paid;
  if (at?.desk.takes === 'full') {
    const refused = await asker.ask({ amount: amountMinor - 1 });
    if (refused !== null) tally.wrong.push(`a part at ${at.provider}`);
  }
  await Promise.all([asker.ask({}), asker.ask({}, true), asker.ask({})]);
};

/** The merchant's person in the cabinet and its server give back at once. */
const besideCabinet: Plan = async (asker, paid) => {
  const inCabinet = async (amount: number) => {
    await sleep(300 * paid.random.next());
    await giveBack(paid, amount);
  };
  await Promise.all([
    asker.ask({ amount: share(paid, 0.4) }, true),
    inCabinet(share(paid, 0.4)),
    asker.ask({ amount: share(paid, 0.4) }, true),
    inCabinet(share(paid, 0.4)),
  ]);
};

/** Refunds that the acquirer makes in its cabinet only. */
const onlyCabinet: Plan = async (asker, paid, tally) => {
  if ((await asker.ask({})) !== null) tally.wrong.push(`${paid.at?.provider} was asked`);
  const back = () => giveBack(paid, paid.amountMinor);
  await Promise.all([back(), back()]);
  await back();
};

/** Presses in the cabinet until the acquirer knows what became of it. */
async function giveBack({ at }: Paid, amountMinor: number): Promise<void> {
  const deadline = Date.now() + TRY_FOR_MS;
  for (;;) {
    try {
      await at?.desk.giveBack?.(at.payment, BigInt(amountMinor));
      return;
    } catch (error) {
      // A cabinet that decides alone has refused: more than is left.
      if (at?.desk.takes !== 'outside') return;
      if (Date.now() > deadline) throw error;
      await sleep(200);
    }
  }
}

/** What becomes of the paid invoices of a place, in turn. */
function plansOf({ at }: Paid): readonly [Plan, ...Plan[]] {
  if (at?.desk.takes === 'outside') return [onlyCabinet];
  if (at?.desk.takes === 'full') return [whole];
  return at?.desk.giveBack ? [fifty, besideCabinet, parts, whole] : [fifty, parts, parts, whole];
}

/** Gives an invoice back by the plan of its turn. */
export async function carryOut(paid: Paid, turn: number, tally: Tally): Promise<void> {
  const plans = plansOf(paid);
  await (plans[turn % plans.length] ?? plans[0])(new Asker(paid, tally), paid, tally);
}

/** Asks for all that is left of an invoice, if anything is. */
export async function askForRest(paid: Paid, tally: Tally): Promise<void> {
  if (paid.at?.desk.takes !== 'outside') await new Asker(paid, tally).ask({});
}
