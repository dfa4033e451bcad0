import { setTimeout as sleep } from 'node:timers/promises';
import type { Press } from '#server/testing/acquirers/page.ts';
import type { Client } from '../client.ts';
import type { FaultyGateway } from '../gateway.ts';
import type { Random } from '../random.ts';
import type { Acquirer } from './stand-ins.ts';

/** A merchant's account at an acquirer. */
export type Account = { id: string; acquirer: Acquirer };

const TRY_FOR_MS = 120_000;
const FAULT_SHARE = 0.4;
const FAULTS_EACH = 2;

/** What the buyers of a run came upon. */
export type Tally = { starts: number; faults: number; unanswered: number };

/**
 * A buyer at one invoice. It goes by the page's own form to the acquirer, and comes back. What is
 * not answered is tried again, as people and acquirers do.
 */
export class Buyer {
  private readonly gateway: FaultyGateway;
  private readonly random: Random;
  private readonly tally: Tally;
  readonly invoiceId: string;
  private faultsLeft: number;
  /** Why the page began nothing the last time. */
  refusal = '';

  constructor(
    gateway: FaultyGateway,
    {
      invoiceId,
      random,
      tally,
      faults = FAULTS_EACH,
    }: { invoiceId: string; random: Random; tally: Tally; faults?: number },
  ) {
    this.faultsLeft = faults;
    this.gateway = gateway;
    this.invoiceId = invoiceId;
    this.random = random;
    this.tally = tally;
  }

  /**
   * Presses a method of the payment page, again while the page is away.
   *
   * @returns the acquirer's address; null where the page says why not
   */
  async start({ id, acquirer }: Account): Promise<string | null> {
    const deadline = Date.now() + TRY_FOR_MS;
    for (;;) {
      this.stir(acquirer);
      const to = await this.post(new URLSearchParams({ method: id })).catch(() => null);
      if (to?.startsWith('/')) {
        this.refusal = to;
        return null;
      }
      if (to) {
        this.tally.starts += 1;
        return to;
      }
      if (Date.now() > deadline) throw new Error(`the page of ${this.invoiceId} is away`);
      await sleep(100 + 400 * this.random.next());
    }
  }

  /** Posts the page's form. @returns where it leads; null for a fault of the gateway's */
  private async post(body: URLSearchParams): Promise<string | null> {
    const response = await fetch(`${this.gateway.origin}/pay/${this.invoiceId}/start`, {
      method: 'POST',
      body,
      headers: { origin: this.gateway.variables.PUBLIC_URL ?? '' },
      redirect: 'manual',
      signal: AbortSignal.timeout(20_000),
    });
    await response.body?.cancel();
    return response.status === 303 ? response.headers.get('location') : null;
  }

  /**
   * Presses a button at the acquirer's page until the acquirer knows what became of it, and comes
   * back.
   */
  async press({ acquirer }: Account, url: string, press: Press): Promise<void> {
    const { page } = acquirer;
    const deadline = Date.now() + TRY_FOR_MS;
    for (;;) {
      this.stir(acquirer);
      const order = page.orderOf(new URL(url));
      // The page has been withdrawn.
      if (!order) return;
      try {
        await page.press(order, press);
        return await this.comeBack(order.returnUrl);
      } catch (error) {
        this.tally.unanswered += 1;
        if (Date.now() > deadline) throw error;
        await sleep(100 + 400 * this.random.next());
      }
    }
  }

  /** Goes to an acquirer and presses there, if it can be begun now. */
  async go(account: Account, press: Press): Promise<boolean> {
    const url = await this.start(account);
    if (url !== null) await this.press(account, url, press);
    return url !== null;
  }

  /** Comes back to the gateway's page, which may be away. */
  private async comeBack(returnUrl: string): Promise<void> {
    const { pathname, search } = new URL(returnUrl);
    const options = { redirect: 'manual', signal: AbortSignal.timeout(20_000) } as const;
    const response = await fetch(this.gateway.origin + pathname + search, options).catch(
      () => null,
    );
    await response?.body?.cancel();
  }

  /** A fault meets one of the acquirer's next calls, now and then, and a few times in all. */
  private stir(acquirer: Acquirer): void {
    if (this.faultsLeft === 0 || this.random.next() >= FAULT_SHARE) return;
    this.faultsLeft -= 1;
    acquirer.causeFault(this.random);
    this.tally.faults += 1;
  }
}

/** The invoice's status as its merchant is told it. */
export async function statusOf(client: Client, invoiceId: string): Promise<number> {
  const answer = await client.until(() =>
    client.once('GET', `/invoice/status?invoice_id=${invoiceId}`),
  );
  return Number(answer.body.data?.status);
}

/** Goes on until the invoice is final, by any of the accounts. */
export async function payUntilFinal(
  buyer: Buyer,
  client: Client,
  accounts: readonly Account[],
  random: Random,
): Promise<void> {
  const deadline = Date.now() + TRY_FOR_MS;
  while ((await statusOf(client, buyer.invoiceId)) === 1) {
    if (Date.now() > deadline)
      throw new Error(`${buyer.invoiceId} cannot be paid: ${buyer.refusal}`);
    await buyer.go(random.pick(accounts), 'pay');
    await sleep(200 + 600 * random.next());
  }
}
