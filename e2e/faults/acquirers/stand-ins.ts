import type { Currency } from '#server/lib/money.ts';
import type { StandInPayment } from '#server/testing/acquirers/books.ts';
import { ClickStandIn } from '#server/testing/acquirers/click-page.ts';
import type { Faults, Hooks } from '#server/testing/acquirers/hook-call.ts';
import { MulticardStandIn } from '#server/testing/acquirers/multicard.ts';
import { type AcquirerPage, type PageOrder, servePage } from '#server/testing/acquirers/page.ts';
import { PaymeStandIn } from '#server/testing/acquirers/payme-page.ts';

/** An acquirer as the fault suite has it: it lives in this process, which is never killed. */
export type Acquirer = {
  provider: string;
  currency: Currency;
  /** The settings that lead a gateway to it. */
  settings: Record<string, string>;
  /** What the merchant of a number enters. */
  credentials: (merchant: number) => Record<string, string>;
  /** The id by which it knows the merchant of a number and calls its hook; null where it is told. */
  hookOf: ((merchant: number) => string) | null;
  page: AcquirerPage<PageOrder>;
  books: () => StandInPayment[];
  /** The calls that a fault can meet, and the faults to come. */
  operations: readonly string[];
  faults: Faults;
  close: () => Promise<void>;
};

/** What opens each account, at each acquirer. */
export const SECRET = 'known-to-both';

async function startPayme(hooks: Hooks): Promise<Acquirer> {
  const standIn = new PaymeStandIn(hooks);
  const { url, close } = await servePage(standIn.page, 0);
  const merchantId = (merchant: number) => `65f0c0de65f0c0de${String(merchant).padStart(8, '0')}`;
  return {
    provider: 'payme',
    currency: 'UZS',
    settings: { PAYME_CHECKOUT_URL: url },
    credentials: (merchant) => ({ merchant_id: merchantId(merchant), key: SECRET }),
    hookOf: merchantId,
    page: standIn.page,
    books: () => standIn.books(),
    operations: [
      'CheckPerformTransaction',
      'CreateTransaction',
      'PerformTransaction',
      'CancelTransaction',
    ],
    faults: standIn.faults,
    close,
  };
}

async function startClick(hooks: Hooks): Promise<Acquirer> {
  const standIn = new ClickStandIn(hooks);
  standIn.keepsRefused = true;
  const { url, close } = await servePage(standIn.page, 0);
  const serviceId = (merchant: number) => String(4_800 + merchant);
  return {
    provider: 'click',
    currency: 'UZS',
    settings: { CLICK_PAY_URL: `${url}/services/pay`, CLICK_API_URL: `${url}/v2/merchant` },
    credentials: (merchant) => ({
      merchant_id: '4700',
      service_id: serviceId(merchant),
      merchant_user_id: '4701',
      secret_key: SECRET,
    }),
    hookOf: serviceId,
    page: standIn.page,
    books: () => standIn.books(),
    operations: ['Prepare', 'Complete', 'status', 'reversal'],
    faults: standIn.faults,
    close,
  };
}

async function startMulticard(): Promise<Acquirer> {
  const standIn = new MulticardStandIn(SECRET);
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
    hookOf: null,
    page: standIn.page,
    books: () => standIn.books(),
    operations: [
      'POST /auth',
      'POST /payment/invoice',
      'GET /payment/invoice',
      'DELETE /payment/invoice',
      'DELETE /payment',
    ],
    faults: standIn.faults,
    close: () => standIn.close(),
  };
}

/** Starts all acquirers; one more is one entry here. */
export function startAcquirers(hooks: Hooks): Promise<Acquirer[]> {
  return Promise.all([startPayme(hooks), startClick(hooks), startMulticard()]);
}
