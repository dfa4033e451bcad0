import type { Currency } from '#server/lib/money.ts';
import type { StandInPayment } from '#server/testing/acquirers/books.ts';
import { ClickStandIn } from '#server/testing/acquirers/click-page.ts';
import { MulticardStandIn } from '#server/testing/acquirers/multicard.ts';
import { type AcquirerPage, type PageOrder, servePage } from '#server/testing/acquirers/page.ts';
import { PaymeStandIn } from '#server/testing/acquirers/payme-page.ts';
import { StripeStandIn } from '#server/testing/acquirers/stripe.ts';
import { YooKassaStandIn } from '#server/testing/acquirers/yookassa.ts';
import type { Random } from '../random.ts';
import {
  clickDesk,
  multicardDesk,
  paymeDesk,
  type RefundDesk,
  stripeDesk,
  yookassaDesk,
} from './refund-desks.ts';

/** An acquirer as the fault suite has it: it lives in this process, which is never killed. */
export type Acquirer = {
  provider: string;
  currency: Currency;
  /** The settings that lead a gateway to it. */
  settings: Record<string, string>;
  /** What the merchant of a number enters. */
  credentials: (merchant: number) => Record<string, string>;
  /** The merchant of a number enters the hook of its account there. */
  enterHook: (merchant: number, hookUrl: string) => void;
  page: AcquirerPage<PageOrder>;
  books: () => StandInPayment[];
  refunds: RefundDesk;
  /** A fault meets one of the next calls, or one of the next of these operations. */
  causeFault: (random: Random, operations?: readonly string[]) => void;
  /** No more faults come. */
  calm: () => void;
  /** What goes on by itself: slow answers come, and the gateway is told again what it did not take. */
  goOn?: () => Promise<unknown>;
  close: () => Promise<void>;
};

/** How many merchants have accounts. */
export const MERCHANTS = 3;
const SECRET = 'whsec_known_to_both';
const GO_ON_EVERY_MS = 1_000;
const FAULTS = ['cut before', 'cut after', '500', 'slow'] as const;

function faultsIn<F>(
  faults: Map<string, F[]>,
  all: readonly string[],
  kinds: readonly F[],
): Pick<Acquirer, 'causeFault' | 'calm'> {
  return {
    causeFault: (random, operations = all) => {
      const operation = random.pick(operations);
      faults.set(operation, [random.pick(kinds)]);
    },
    calm: () => faults.clear(),
  };
}

type Hook = { hookUrl: string; secret: string };

async function startPayme(): Promise<Acquirer> {
  const hooks = new Map<string, Hook>();
  const standIn = new PaymeStandIn(hooks);
  const { url, close } = await servePage(standIn.page, 0);
  const idOf = (merchant: number) => `65f0c0de65f0c0de${String(merchant).padStart(8, '0')}`;
  const operations = ['CheckPerform', 'Create', 'Perform', 'Cancel'];
  return {
    provider: 'payme',
    currency: 'UZS',
    settings: { PAYME_CHECKOUT_URL: url },
    credentials: (merchant) => ({ merchant_id: idOf(merchant), key: SECRET }),
    enterHook: (merchant, hookUrl) => hooks.set(idOf(merchant), { hookUrl, secret: SECRET }),
    page: standIn.page,
    books: () => standIn.books(),
    refunds: paymeDesk(standIn),
    ...faultsIn(
      standIn.faults,
      operations.map((each) => `${each}Transaction`),
      FAULTS,
    ),
    close,
  };
}

async function startClick(): Promise<Acquirer> {
  const hooks = new Map<string, Hook>();
  const standIn = new ClickStandIn(hooks);
  standIn.keepsRefused = true;
  const { url, close } = await servePage(standIn.page, 0);
  const idOf = (merchant: number) => String(4_800 + merchant);
  return {
    provider: 'click',
    currency: 'UZS',
    settings: { CLICK_PAY_URL: `${url}/services/pay`, CLICK_API_URL: `${url}/v2/merchant` },
    credentials: (merchant) => ({
      merchant_id: '4700',
      service_id: idOf(merchant),
      merchant_user_id: '4701',
      secret_key: SECRET,
    }),
    enterHook: (merchant, hookUrl) => hooks.set(idOf(merchant), { hookUrl, secret: SECRET }),
    page: standIn.page,
    books: () => standIn.books(),
    refunds: clickDesk(standIn),
    ...faultsIn(standIn.faults, ['Prepare', 'Complete', 'status', 'reversal'], FAULTS),
    close,
  };
}

async function startMulticard(): Promise<Acquirer> {
  const standIn = new MulticardStandIn(SECRET);
  const operations = [
    'POST /auth',
    'POST /payment/invoice',
    'GET /payment/invoice',
    'DELETE /payment/invoice',
    'DELETE /payment',
  ];
  return {
    provider: 'multicard',
    currency: 'UZS',
    settings: { MULTICARD_API_URL: await standIn.listen() },
    credentials: (merchant) => ({
      store_id: String(4_800 + merchant),
      application_id: 'fault-suite',
      secret: SECRET,
      mxik: '00702001001000001',
      package_code: '1',
    }),
    // Multicard is told of it with each invoice.
    enterHook: () => undefined,
    page: standIn.page,
    books: () => standIn.books(),
    refunds: multicardDesk(standIn),
    ...faultsIn(standIn.faults, operations, FAULTS),
    goOn: async () => {
      for (const answer of standIn.waiting.splice(0)) answer();
    },
    close: () => standIn.close(),
  };
}

async function startStripe(): Promise<Acquirer> {
  const hooks = new Map<string, Hook>();
  const standIn = new StripeStandIn(hooks);
  const keyOf = (merchant: number) => `sk_test_${merchant}`;
  const operations = [
    'POST /v1/checkout/sessions',
    'GET /v1/checkout/sessions/{id}',
    'POST /v1/checkout/sessions/{id}/expire',
    'POST /v1/payment_intents/{id}/capture',
    'POST /v1/payment_intents/{id}/cancel',
    'POST /v1/refunds',
  ];
  return {
    provider: 'stripe',
    currency: 'USD',
    settings: { STRIPE_API_URL: await standIn.listen() },
    credentials: (merchant) => ({ secret_key: keyOf(merchant), webhook_secret: SECRET }),
    enterHook: (merchant, hookUrl) => hooks.set(keyOf(merchant), { hookUrl, secret: SECRET }),
    page: standIn.page,
    books: () => standIn.payments(),
    refunds: stripeDesk(standIn),
    ...faultsIn(standIn.faults, operations, FAULTS),
    goOn: () => standIn.deliver(),
    close: () => standIn.close(),
  };
}

async function startYooKassa(): Promise<Acquirer> {
  const idOf = (merchant: number) => String(4_800 + merchant);
  const secretKey = `test_${SECRET}`;
  const shops = Array.from({ length: MERCHANTS }, (_, merchant) => ({
    id: idOf(merchant),
    secretKey,
  }));
  const standIn = new YooKassaStandIn(shops);
  standIn.slowMs = 1_500;
  const operations = [
    'POST /payments',
    'GET /payments/:id',
    'POST /payments/:id/capture',
    'POST /payments/:id/cancel',
  ];
  return {
    provider: 'yookassa',
    currency: 'RUB',
    settings: { YOOKASSA_API_URL: await standIn.listen() },
    credentials: (merchant) => ({ shop_id: idOf(merchant), secret_key: secretKey }),
    enterHook: (merchant, hookUrl) => {
      const shop = standIn.shops.get(idOf(merchant));
      if (shop) shop.hookUrl = hookUrl;
    },
    page: standIn.page,
    books: () => standIn.books(),
    refunds: yookassaDesk(standIn),
    ...faultsIn(standIn.faults, operations, [...FAULTS, 'processing', 'too many']),
    goOn: () => standIn.deliver(),
    close: () => standIn.close(),
  };
}

/** Starts all acquirers; one more is one entry here. */
export function startAcquirers(): Promise<Acquirer[]> {
  return Promise.all([
    startPayme(),
    startClick(),
    startMulticard(),
    startStripe(),
    startYooKassa(),
  ]);
}

/** Lets what goes on by itself go on. @returns how to end that */
export function keepGoing(acquirers: readonly Acquirer[]): () => void {
  const going = setInterval(() => {
    for (const { goOn } of acquirers) void goOn?.();
  }, GO_ON_EVERY_MS);
  return () => clearInterval(going);
}
