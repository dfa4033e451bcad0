import { ClickStandIn } from './click-page.ts';
import type { Hooks } from './hook-call.ts';
import { MulticardStandIn } from './multicard.ts';
import { type Served, servePage } from './page.ts';
import { PaymeStandIn } from './payme-page.ts';
import { StripeStandIn } from './stripe.ts';
import { YooKassaStandIn } from './yookassa.ts';

/** On ports of this machine, 0 for any that is free. */
export type StandInPorts = Record<'payme' | 'click' | 'multicard' | 'stripe' | 'yookassa', number>;

/** The settings that have a gateway send its buyers to stand-ins on these ports. */
export function standInSettings(ports: StandInPorts): Record<string, string> {
  const { payme, click, multicard, stripe, yookassa } = ports;
  return {
    PAYME_CHECKOUT_URL: `http://127.0.0.1:${payme}`,
    CLICK_PAY_URL: `http://127.0.0.1:${click}/services/pay`,
    CLICK_API_URL: `http://127.0.0.1:${click}/v2/merchant`,
    MULTICARD_API_URL: `http://127.0.0.1:${multicard}`,
    STRIPE_API_URL: `http://127.0.0.1:${stripe}`,
    YOOKASSA_API_URL: `http://127.0.0.1:${yookassa}/v3`,
  };
}

/**
 * Starts stand-ins of all acquirers, each with a page where a person pays, declines or leaves.
 *
 * @param given.hooks read at each press, so that accounts may be added later
 * @param given.multicardSecret the one that Multicard's callbacks are signed with
 * @returns how to end them
 * @throws where a port is taken
 */
export async function startStandIns(
  ports: StandInPorts,
  { hooks, multicardSecret }: { hooks: Hooks; multicardSecret: string },
): Promise<() => Promise<void>> {
  const multicard = new MulticardStandIn(multicardSecret);
  const stripe = new StripeStandIn(hooks);
  const yookassa = new YooKassaStandIn([], { hooks });
  const started: Pick<Served, 'close'>[] = [];
  const stop = async () => void (await Promise.all(started.map((each) => each.close())));
  try {
    started.push(await servePage(new PaymeStandIn(hooks).page, ports.payme));
    started.push(await servePage(new ClickStandIn(hooks).page, ports.click));
    await multicard.listen(ports.multicard);
    started.push(multicard);
    await stripe.listen(ports.stripe);
    started.push(stripe);
    await yookassa.listen(ports.yookassa);
    started.push(yookassa);
  } catch (error) {
    await stop();
    throw error;
  }
  return stop;
}
