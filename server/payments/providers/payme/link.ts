import type { Locale } from '../../start-request.ts';

/**
 * The address at which a buyer pays at Payme: parameters joined by `;` in base64 (Payme, "otpravka
 * cheka po metodu GET").
 *
 * @param order.amountMinor tiyin
 * @param order.returnUrl without `;`, which parts the parameters
 */
export function paymeLink(
  checkoutUrl: string,
  order: {
    merchantId: string;
    accountField: string;
    invoiceId: string;
    amountMinor: bigint;
    locale: Locale;
    returnUrl: string;
  },
): string {
  const parameters = [
    `m=${order.merchantId}`,
    `ac.${order.accountField}=${order.invoiceId}`,
    `a=${order.amountMinor}`,
    `l=${order.locale}`,
    `c=${order.returnUrl}`,
  ];
  return `${checkoutUrl}/${Buffer.from(parameters.join(';')).toString('base64')}`;
}
