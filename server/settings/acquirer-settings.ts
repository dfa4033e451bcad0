import { SettingError } from '../lib/errors.ts';
import { isLoopbackUrl } from '../lib/formats.ts';

/** Where acquirers are reached, without a slash at the end. */
export type AcquirerUrls = {
  paymeCheckout: string;
  clickPay: string;
  clickApi: string;
  multicardApi: string;
  stripeApi: string;
  yookassaApi: string;
};

/** An address of an acquirer's, and its test host where it has one, which the sandbox goes to. */
type Place = { setting: string; production: string; sandbox?: string };

const PLACES: Record<keyof AcquirerUrls, Place> = {
  paymeCheckout: {
    setting: 'PAYME_CHECKOUT_URL',
    production: 'https://checkout.paycom.uz',
    sandbox: 'https://test.paycom.uz',
  },
  clickPay: { setting: 'CLICK_PAY_URL', production: 'https://my.click.uz/services/pay' },
  clickApi: { setting: 'CLICK_API_URL', production: 'https://api.click.uz/v2/merchant' },
  multicardApi: {
    setting: 'MULTICARD_API_URL',
    production: 'https://mesh.multicard.uz',
    sandbox: 'https://dev-mesh.multicard.uz',
  },
  stripeApi: { setting: 'STRIPE_API_URL', production: 'https://api.stripe.com' },
  yookassaApi: { setting: 'YOOKASSA_API_URL', production: 'https://api.yookassa.ru/v3' },
};

function check(setting: string, value: string): string {
  const url = URL.canParse(value) ? new URL(value) : null;
  const isPlain = url && !url.search && !url.hash && !url.username && !url.password;
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopbackUrl(value));
  if (!isPlain || !isSafe) {
    throw new SettingError(
      `The setting ${setting} must be an https URL without query, fragment or password, ` +
        'or an http URL of this machine.',
    );
  }
  return value.replace(/\/+$/, '');
}

/**
 * Reads where acquirers are reached: their own addresses, unless a test bench or a proxy stands in.
 * One that is set counts for both environments.
 *
 * @throws SettingError that names the variable and what it must be
 */
export function parseAcquirerUrls(
  read: (name: string) => string | undefined,
): Record<'sandbox' | 'production', AcquirerUrls> {
  const urlsOf = (environment: 'sandbox' | 'production') =>
    Object.fromEntries(
      Object.entries(PLACES).map(([name, place]) => {
        const given = read(place.setting);
        const preset = (environment === 'sandbox' && place.sandbox) || place.production;
        return [name, given === undefined ? preset : check(place.setting, given)];
      }),
    ) as AcquirerUrls;
  return { sandbox: urlsOf('sandbox'), production: urlsOf('production') };
}
