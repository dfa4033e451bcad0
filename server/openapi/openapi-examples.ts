// Examples are written once and shown in several places of the document; tests compare them with
// the schemas and with the handler's real answers.

const INVOICE_ID = 'inv_01kb0k2v9rx5d8c3q7m1n4p6s0t2v5w8y1z';
const CREATED_AT_MS = 1_767_225_600_000;
/** The start of 2100: a copied create must not be refused for its time. */
const END_DATE_MS = 4_102_444_800_000;

const SHOP = 'https://shop.example';

const order = {
  amount: 1500,
  currency: 'USD',
  description: 'Order 1042',
  merchant_transaction_id: 'order-1042',
};
const positions = [{ title: 'Two tickets', amount: 1500, currency: 'USD' }];
const returnAddresses = { success_url: `${SHOP}/paid`, error_url: `${SHOP}/not-paid` };
const merchantData = { cart: 'c-77' };

export const createExample = {
  ...order,
  end_date: END_DATE_MS,
  positions,
  ...returnAddresses,
  callback_url: `${SHOP}/gateway/callback`,
  merchant_data: merchantData,
};

/** The success envelope around `data`. */
export function envelopeExample(data: object): object {
  return { result: true, data, error: null };
}

export const createdExample = {
  invoice_id: INVOICE_ID,
  invoice_url: `https://pay.example/pay/${INVOICE_ID}`,
  ...returnAddresses,
  status: 1,
  ...order,
  merchant_data: merchantData,
  end_date: END_DATE_MS,
  created_at: CREATED_AT_MS,
};

export const idExample = { invoice_id: INVOICE_ID };

/** A status view with this status code. */
export function statusExample(status: 1 | 2 | 3 | 4) {
  return { invoice_id: INVOICE_ID, status, end_date: END_DATE_MS };
}

export const callbackExample = {
  invoice_id: INVOICE_ID,
  status: 2,
  ...order,
  positions,
  merchant_data: merchantData,
  created_at: CREATED_AT_MS,
  updated_at: CREATED_AT_MS + 95_000,
  extra_data: {
    provider: 'sandbox',
    transaction_id: 'sbx_01kb0k5e2m7q9s1v3x5z7b9d1f3h5k7m9np',
    receipt_url: `https://pay.example/pay/${INVOICE_ID}/receipt`,
  },
};

export const recordExample = {
  invoice_id: INVOICE_ID,
  invoice_url: createdExample.invoice_url,
  ...returnAddresses,
  callback_url: createExample.callback_url,
  status: 2,
  ...order,
  positions,
  merchant_data: merchantData,
  end_date: END_DATE_MS,
  created_at: CREATED_AT_MS,
  updated_at: callbackExample.updated_at,
  extra_data: callbackExample.extra_data,
  refunded_amount: 0,
};

export const eventsExample = {
  events: [
    {
      event_id: `evt_paid_${INVOICE_ID.slice('inv_'.length)}`,
      type: 'invoice.paid',
      at: callbackExample.updated_at,
      invoice_id: INVOICE_ID,
      data: {
        merchant_transaction_id: order.merchant_transaction_id,
        status: 2,
        amount: order.amount,
        currency: order.currency,
        extra_data: callbackExample.extra_data,
      },
    },
  ],
  next_cursor: 'NzYxOjQ6',
};

export const refundExample = {
  invoice_id: INVOICE_ID,
  refund_transaction_id: 'refund-1042-1',
  amount: 500,
  reason: 'One ticket returned',
};

export const refundedExample = {
  refund_id: 'ref_01kb0m4x8rz6e9d2c5q7m1n4p6s0t3v5w8y',
  ...refundExample,
  currency: 'USD',
  status: 2,
  failure_reason: null,
  created_at: CREATED_AT_MS + 86_400_000,
  updated_at: CREATED_AT_MS + 86_400_412,
};

export const refundListExample = {
  refunds: [refundedExample],
  refunded_amount: 500,
  refundable_amount: 1000,
};

export const invalidRefundExample = {
  detail: [
    { loc: ['body', 'refund_transaction_id'], msg: 'Field required', type: 'missing' },
    { loc: ['body', 'amount'], msg: 'Input should be greater than 0', type: 'greater_than' },
  ],
};

export const invalidCreateExample = {
  detail: [
    { loc: ['body', 'amount'], msg: 'Input should be greater than 0', type: 'greater_than' },
    { loc: ['body', 'positions'], msg: 'Field required', type: 'missing' },
  ],
};

export const invalidBodyIdExample = {
  detail: [{ loc: ['body', 'invoice_id'], msg: 'Field required', type: 'missing' }],
};

export const invalidQueryExample = {
  detail: [{ loc: ['query', 'invoice_id'], msg: 'Field required', type: 'missing' }],
};
