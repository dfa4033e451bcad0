import { expect, test } from 'vitest';
import { confirm, pay } from './actions.ts';

/** What React gives an action for arguments that somebody has written by hand. */
const NO_FORMS: unknown[] = [undefined, null, 'x', 1, {}, [], new Map([['invoiceId', 'x']])];
const call = (action: unknown, ...given: unknown[]) =>
  (action as (...given: unknown[]) => Promise<unknown>)(...given);

const unknownInvoice = { digest: expect.stringContaining(';/pay/unknown;') };

test.each(NO_FORMS)(
  'an action that is given no form ends on the page for an unknown payment: %j',
  async (form) => {
    await expect(call(pay, form)).rejects.toMatchObject(unknownInvoice);
    await expect(call(pay, form, form)).rejects.toMatchObject(unknownInvoice);
    await expect(call(confirm, form)).rejects.toMatchObject(unknownInvoice);
  },
);

test('so does one that is given the form alone, as React calls it where a post names no arguments', async () => {
  await expect(call(pay, new FormData())).rejects.toMatchObject(unknownInvoice);
});
