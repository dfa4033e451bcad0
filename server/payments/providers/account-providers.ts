import type { Pool } from 'pg';
import type { AccountFault } from '../../merchants/account-faults.ts';
import type { AcquirerCredentials, OpenAccount } from '../../merchants/acquirer-accounts.ts';
import { settings } from '../../settings/settings.ts';
import { receiptUrl } from '../addresses.ts';
import type {
  CredentialField,
  InboundProvider,
  ProviderTraits,
  RedirectProvider,
} from '../provider.ts';
import { HOLD_MS } from '../timing.ts';
import { Click } from './click/click.ts';
import { checkMerchantApi } from './click/merchant-api.ts';
import { MulticardApi } from './multicard/api.ts';
import { Multicard, PAGE_LIFE_MS } from './multicard/multicard.ts';
import { Payme, TRANSACTION_LIFE_MS } from './payme/payme.ts';
import { PAGE_LIFE_MS as STRIPE_PAGE_LIFE_MS } from './stripe/api.ts';
import { checkKey, StripeAcquirer } from './stripe/stripe.ts';
import { sendsReceipts } from './yookassa/receipt.ts';
import { checkShop, PAGE_LIFE_MS as YOOKASSA_PAGE_LIFE_MS, YooKassa } from './yookassa/yookassa.ts';

/** A provider that merchants have accounts at. */
export type AccountProvider = {
  traits: ProviderTraits;
  credentials: readonly CredentialField[];
  /**
   * Tries the credentials where the acquirer can be asked. @returns why they do not work, or null;
   * left out for an acquirer that only calls us
   */
  check?: (account: OpenAccount, now: Date) => Promise<AccountFault | null>;
  /** Whether each payment needs the buyer's e-mail address; left out where none does. */
  demandsEmail?: (credentials: AcquirerCredentials) => boolean;
  open: (db: Pool, account: OpenAccount, clock: () => Date) => InboundProvider | RedirectProvider;
};

const required = (name: string, more: Partial<CredentialField> = {}): CredentialField => ({
  name,
  isRequired: true,
  isSecret: false,
  ...more,
});

const optional = (name: string, more: Partial<CredentialField>): CredentialField => ({
  ...required(name, more),
  isRequired: false,
});

const urlsOf = ({ environment }: OpenAccount) => settings().acquirerUrls[environment];

/** Every acquirer at which a merchant can have an account, by the name that an attempt's row keeps. */
export const ACCOUNT_PROVIDERS: Readonly<Record<string, AccountProvider>> = {
  payme: {
    traits: {
      title: 'Payme',
      currencies: ['UZS'],
      leastMinor: 1n,
      refunds: 'outside',
      pageLifeMs: TRANSACTION_LIFE_MS,
    },
    credentials: [
      required('merchant_id', { pattern: /^[0-9a-zA-Z]{1,64}$/ }),
      required('key', { isSecret: true }),
      required('account_field', { preset: 'invoice_id', pattern: /^[A-Za-z0-9_]{1,64}$/ }),
    ],
    open: (db, account, clock) =>
      new Payme(db, { account, checkoutUrl: urlsOf(account).paymeCheckout, clock, receiptUrl }),
  },
  click: {
    traits: {
      title: 'Click',
      currencies: ['UZS'],
      leastMinor: 1n,
      refunds: 'full',
      // Click names no time of its own: the hold's is taken.
      pageLifeMs: HOLD_MS,
    },
    credentials: [
      required('merchant_id', { pattern: /^\d{1,19}$/ }),
      required('service_id', { pattern: /^\d{1,19}$/ }),
      required('merchant_user_id', { pattern: /^\d{1,19}$/ }),
      required('secret_key', { isSecret: true }),
    ],
    check: (account, now) => checkMerchantApi({ account, apiUrl: urlsOf(account).clickApi, now }),
    open: (db, account, clock) => {
      const { clickPay: payUrl, clickApi: apiUrl } = urlsOf(account);
      return new Click(db, { account, payUrl, apiUrl, clock, receiptUrl });
    },
  },
  multicard: {
    traits: {
      title: 'Multicard',
      currencies: ['UZS'],
      leastMinor: 1n,
      refunds: 'partial',
      pageLifeMs: PAGE_LIFE_MS,
    },
    credentials: [
      required('store_id', { pattern: /^[0-9A-Za-z-]{1,64}$/ }),
      required('application_id', { pattern: /^\S+$/ }),
      required('secret', { isSecret: true }),
      required('mxik', { pattern: /^\d{17}$/ }),
      required('package_code', { pattern: /^\d{1,20}$/ }),
      optional('vat_percent', { pattern: /^\d{1,2}$/ }),
    ],
    check: (account, now) =>
      new MulticardApi(account, urlsOf(account).multicardApi, () => now).check(),
    open: (_, account, clock) =>
      new Multicard({ account, apiUrl: urlsOf(account).multicardApi, clock }),
  },
  stripe: {
    // Stripe's least is half a dollar or euro, and its amounts have eight digits.
    traits: {
      title: 'Stripe',
      currencies: ['USD', 'EUR'],
      leastMinor: 50n,
      mostMinor: 99_999_999n,
      refunds: 'partial',
      pageLifeMs: STRIPE_PAGE_LIFE_MS,
    },
    credentials: [
      required('secret_key', {
        isSecret: true,
        pattern: /^[sr]k_(test|live)_\w+$/,
        marks: { sandbox: /^.k_test_/, production: /^.k_live_/ },
      }),
      required('webhook_secret', { isSecret: true, pattern: /^whsec_\w+$/ }),
    ],
    check: (account) => checkKey(account, urlsOf(account).stripeApi),
    open: (_, account, clock) =>
      new StripeAcquirer({ account, apiUrl: urlsOf(account).stripeApi, clock }),
  },
  yookassa: {
    traits: {
      title: 'YooKassa',
      currencies: ['RUB'],
      leastMinor: 100n,
      refunds: 'partial',
      pageLifeMs: YOOKASSA_PAGE_LIFE_MS,
    },
    credentials: [
      required('shop_id', { pattern: /^\d{1,19}$/ }),
      required('secret_key', {
        isSecret: true,
        pattern: /^(?:test|live)_\S+$/,
        marks: { sandbox: /^test_/, production: /^live_/ },
      }),
      // The receipts of 54-FZ: a shop that has none made by YooKassa leaves its VAT code out.
      optional('vat_code', { pattern: /^(?:[1-9]|1[0-2])$/ }),
      optional('tax_system_code', { pattern: /^[1-6]$/ }),
      optional('payment_subject', { preset: 'commodity', pattern: /^[a-z_]{1,40}$/ }),
      optional('payment_mode', { preset: 'full_payment', pattern: /^[a-z_]{1,40}$/ }),
    ],
    demandsEmail: sendsReceipts,
    check: (account) => checkShop({ account, apiUrl: urlsOf(account).yookassaApi }),
    open: (_, account) => new YooKassa({ account, apiUrl: urlsOf(account).yookassaApi }),
  },
};
