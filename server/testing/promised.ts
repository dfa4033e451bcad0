import type { MerchantInvoices } from '../invoices/merchant-invoices.ts';

/** `MerchantInvoices` that answer promises of the language. */
export type Promised = {
  [Verb in keyof MerchantInvoices]: (
    ...of: Parameters<MerchantInvoices[Verb]>
  ) => ReturnType<ReturnType<MerchantInvoices[Verb]>['promise']>;
};

/** Makes them so, for tests that await their answers. */
export function promised(invoices: MerchantInvoices): Promised {
  return {
    create: (...of) => invoices.create(...of).promise(),
    readStatus: (...of) => invoices.readStatus(...of).promise(),
    cancel: (...of) => invoices.cancel(...of).promise(),
  };
}
