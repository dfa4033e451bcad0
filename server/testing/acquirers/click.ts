import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';

/** How Click reaches the hook: a form, and the answer's text. */
export type SendForm = (body: string) => Promise<string>;

export type ClickAnswer = {
  error: number;
  error_note: string;
  merchant_prepare_id?: number;
  merchant_confirm_id?: number | null;
};

export type ClickOrder = { invoiceId: string; amount: string };

/** What one payment at Click is known by. */
export type ClickPayment = { transId: string; paydocId: string };

let payments = 0;

/** Click's side of the SHOP API: forms that are signed over the texts as they are sent. */
export class ClickDriver {
  private readonly send: SendForm;
  private readonly serviceId: string;
  private readonly secretKey: string;
  /** The texts of all answers. */
  readonly texts: string[] = [];

  constructor(send: SendForm, service: { serviceId: string; secretKey: string }) {
    this.send = send;
    this.serviceId = service.serviceId;
    this.secretKey = service.secretKey;
  }

  newPayment(): ClickPayment {
    payments += 1;
    return { transId: String(8_690_000 + payments), paydocId: String(50_000_000 + payments) };
  }

  async prepare(
    { transId, paydocId }: ClickPayment,
    { invoiceId, amount }: ClickOrder,
    changed: Record<string, string> = {},
  ): Promise<ClickAnswer> {
    return await this.post(
      {
        click_trans_id: transId,
        service_id: this.serviceId,
        click_paydoc_id: paydocId,
        merchant_trans_id: invoiceId,
        amount,
        action: '0',
        error: '0',
        error_note: 'Success',
        sign_time: '2026-11-28 12:34:56',
      },
      ['merchant_trans_id', 'amount', 'action', 'sign_time'],
      changed,
    );
  }

  async complete(
    { transId, paydocId }: ClickPayment,
    { invoiceId, amount }: ClickOrder,
    { prepareId, error = '0', ...changed }: Record<string, string>,
  ): Promise<ClickAnswer> {
    return await this.post(
      {
        click_trans_id: transId,
        service_id: this.serviceId,
        click_paydoc_id: paydocId,
        merchant_trans_id: invoiceId,
        merchant_prepare_id: prepareId ?? '',
        amount,
        action: '1',
        error,
        error_note: '',
        sign_time: '2026-11-28 12:35:56',
      },
      ['merchant_trans_id', 'merchant_prepare_id', 'amount', 'action', 'sign_time'],
      changed,
    );
  }

  /** Signs the named fields and posts all; `sign_string` in `changed` takes the place of the right one. */
  private async post(
    fields: Record<string, string>,
    signed: readonly string[],
    changed: Record<string, string>,
  ): Promise<ClickAnswer> {
    const sent = { ...fields, ...changed };
    const parts = signed.map((name) => sent[name as keyof typeof sent]);
    const text = [sent.click_trans_id, sent.service_id, this.secretKey, ...parts].join('');
    const sign = createHash('md5').update(text).digest('hex');
    const answer = await this.send(String(new URLSearchParams({ sign_string: sign, ...sent })));
    this.texts.push(answer);
    return JSON.parse(answer) as ClickAnswer;
  }

  /**
   * A payment whose both calls come fifty times at once, from the first one on. Prepares are answered
   * alike to the byte; a Complete tells of success, or that it was told before.
   */
  async repeatAll(order: ClickOrder, times = 50): Promise<void> {
    const payment = this.newPayment();
    const many = (send: () => Promise<ClickAnswer>) =>
      Promise.all(Array.from({ length: times }, send));
    const [prepared] = await many(() => this.prepare(payment, order));
    assert.equal(prepared?.error, 0);
    assert.equal(new Set(this.texts.slice(-times)).size, 1);
    const prepareId = String(prepared?.merchant_prepare_id);
    const completed = await many(() => this.complete(payment, order, { prepareId }));
    const errors = completed.map(({ error }) => error);
    const isTold = errors.every((error) => error === 0 || error === -4);
    assert.ok(isTold && errors.includes(0), `${errors}`);
  }

  /** A payment for each of many orders, all at once; none is lost. */
  async payAll(orders: readonly ClickOrder[]): Promise<void> {
    const payments = orders.map((order) => ({ order, payment: this.newPayment() }));
    const prepared = await Promise.all(
      payments.map(async ({ order, payment }) => {
        const { merchant_prepare_id: number, error } = await this.prepare(payment, order);
        assert.equal(error, 0);
        return { order, payment, prepareId: String(number) };
      }),
    );
    await Promise.all(
      prepared.map(async ({ order, payment, prepareId }) =>
        assert.equal((await this.complete(payment, order, { prepareId })).error, 0),
      ),
    );
  }

  /**
   * The fifteen prescribed scenarios in their order (Click, "testing/postman").
   *
   * @param orders three invoices that can be paid, with their amounts in soums: two end as paid
   */
  async runAll(orders: readonly [ClickOrder, ClickOrder, ClickOrder]): Promise<void> {
    const [first, second, third] = orders;
    const wrong = { sign_string: '0'.repeat(32) };
    const errors: number[] = [];
    const note = ({ error, ...rest }: ClickAnswer) => {
      errors.push(error);
      return String(rest.merchant_prepare_id ?? '');
    };
    const one = this.newPayment();
    note(await this.prepare(one, first, wrong));
    note(await this.prepare(one, { ...first, invoiceId: 'none' }));
    const prepareId = note(await this.prepare(one, first));
    note(await this.complete(one, first, { prepareId, ...wrong }));
    note(await this.complete(one, { ...first, amount: '300' }, { prepareId }));
    note(await this.complete(one, first, { prepareId }));
    note(await this.complete(one, first, { prepareId }));
    note(await this.complete(one, first, { prepareId, error: '-5017' }));
    const two = this.newPayment();
    const secondId = note(await this.prepare(two, second));
    note(await this.complete(two, second, { prepareId: '999999999' }));
    note(await this.complete(two, second, { prepareId: secondId }));
    const three = this.newPayment();
    const thirdId = note(await this.prepare(three, third));
    note(await this.complete(three, third, { prepareId: thirdId, error: '-5017' }));
    note(await this.complete(three, third, { prepareId: thirdId, error: '-5017' }));
    note(await this.complete(three, third, { prepareId: thirdId }));
    assert.deepEqual(errors, CLICK_SCENARIOS);
  }
}

/** What the fifteen scenarios want, in their order. */
const CLICK_SCENARIOS = [-1, -5, 0, -1, -2, 0, -4, -9, 0, -6, 0, 0, -9, -9, -9];
