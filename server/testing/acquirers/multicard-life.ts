import assert from 'node:assert/strict';
import type { MulticardStandIn } from './multicard.ts';

/** A merchant's shop at the gateway that has an account at the stand-in. */
export type MulticardShop = {
  /** An invoice that can be paid. */
  newInvoice(): Promise<string>;
  /** Has the buyer choose Multicard. @returns the invoice's `uuid` there */
  start(invoiceId: string): Promise<string>;
  cancel(invoiceId: string): Promise<void>;
  statusOf(invoiceId: string): Promise<string | undefined>;
};

type Life = (bank: MulticardStandIn, shop: MulticardShop) => Promise<void>;

const lastStatus = (bank: MulticardStandIn) => bank.answers.at(-1)?.status;

/** What becomes of a payment by the answers to Multicard's callback, by outcome. */
export const MULTICARD_LIVES: Record<string, Life> = {
  'what is paid there is PAID here and kept there; a repeat is answered alike': async (
    bank,
    shop,
  ) => {
    const invoiceId = await shop.newInvoice();
    const uuid = await shop.start(invoiceId);
    assert.equal(await shop.start(invoiceId), uuid);
    assert.equal(await bank.pay(uuid), 'success');
    for (let again = 0; again < 3; again++) await bank.callBack(uuid);
    assert.equal(new Set(bank.answers.slice(-4).map(({ text }) => text)).size, 1);
    assert.equal(await shop.statusOf(invoiceId), 'PAID');
    assert.equal(bank.of(invoiceId).length, 1);
  },

  'of fifty callbacks at once one settles, and all are answered alike': async (bank, shop) => {
    const invoiceId = await shop.newInvoice();
    const uuid = await shop.start(invoiceId);
    await Promise.all(Array.from({ length: 50 }, () => bank.pay(uuid)));
    const answers = bank.answers.slice(-50).map(({ status, text }) => `${status} ${text}`);
    assert.deepEqual([...new Set(answers)], ['200 {"success":true}']);
    assert.equal(bank.invoices.get(uuid)?.payment?.status, 'success');
    assert.equal(await shop.statusOf(invoiceId), 'PAID');
  },

  'what is paid after a cancel goes back': async (bank, shop) => {
    const invoiceId = await shop.newInvoice();
    const uuid = await shop.start(invoiceId);
    await shop.cancel(invoiceId);
    assert.equal(await bank.pay(uuid), 'revert');
    assert.equal(await shop.statusOf(invoiceId), 'CANCELED');
  },

  'another sum than was asked for is never kept': async (bank, shop) => {
    const invoiceId = await shop.newInvoice();
    const uuid = await shop.start(invoiceId);
    bank.paidAmount = (bank.invoices.get(uuid)?.amount ?? 0) - 1;
    try {
      assert.equal(await bank.pay(uuid), 'revert');
    } finally {
      bank.paidAmount = null;
    }
    assert.equal(await shop.statusOf(invoiceId), 'PENDING');
  },

  'a forged callback is refused, and one before the money stays open by 500': async (
    bank,
    shop,
  ) => {
    const invoiceId = await shop.newInvoice();
    const uuid = await shop.start(invoiceId);
    const entry = bank.invoices.get(uuid);
    assert.ok(entry);
    const { amount } = entry;
    entry.payment = { uuid, status: 'draft', payment_amount: amount, total_amount: amount };
    for (const changed of [
      { sign: '0'.repeat(32) },
      { sign: '' },
      { sign: 'é' },
      { amount: amount + 1 },
      { store_id: '7' },
      { invoice_id: `${invoiceId}x` },
    ]) {
      await bank.callBack(uuid, changed);
      assert.equal(lastStatus(bank), 403);
    }
    await bank.callBack(uuid);
    assert.equal(lastStatus(bank), 500);
    assert.equal(await shop.statusOf(invoiceId), 'PENDING');
  },

  'while the question fails the answer is 500 exactly, and a repeat settles': async (
    bank,
    shop,
  ) => {
    const invoiceId = await shop.newInvoice();
    const uuid = await shop.start(invoiceId);
    bank.faults.set('GET /payment/invoice', ['500', 'cut before', 'cut after']);
    for (let attempt = 0; attempt < 3; attempt++) {
      assert.equal(await bank.pay(uuid), 'billing');
      assert.equal(lastStatus(bank), 500);
    }
    assert.equal(await bank.pay(uuid), 'success');
    assert.equal(await shop.statusOf(invoiceId), 'PAID');
  },

  'a callback that nobody here knows is no refusal: it comes again': async (bank, shop) => {
    const invoiceId = await shop.newInvoice();
    const uuid = await shop.start(invoiceId);
    const entry = bank.invoices.get(uuid);
    assert.ok(entry);
    entry.invoice_id = 'inv_of_nobody';
    assert.equal(await bank.pay(uuid), 'billing');
    assert.equal(lastStatus(bank), 500);
  },
};
