import { createHash, timingSafeEqual } from 'node:crypto';
import { fromDecimalString } from '../../../lib/money.ts';

/** The answers to Click, by its own numbers (Click, "SHOP API", error codes). */
export const CLICK_ERRORS = {
  success: [0, 'Success'],
  sign: [-1, 'SIGN CHECK FAILED!'],
  amount: [-2, 'Incorrect parameter amount'],
  action: [-3, 'Action not found'],
  paid: [-4, 'Already paid'],
  invoice: [-5, 'User does not exist'],
  transaction: [-6, 'Transaction does not exist'],
  own: [-7, 'Failed to update user'],
  request: [-8, 'Error in request from click'],
  canceled: [-9, 'Transaction cancelled'],
} as const;
export type ClickError = keyof typeof CLICK_ERRORS;

/** A call of Click: every field is the text as sent, for the signature covers it. */
export type ClickCall = {
  click_trans_id: string;
  service_id: string;
  click_paydoc_id: string;
  merchant_trans_id: string;
  /** Only a Complete has it. */
  merchant_prepare_id: string;
  amount: string;
  action: string;
  error: string;
  error_note: string;
  sign_time: string;
  sign_string: string;
};

const FIELDS = [
  'click_trans_id',
  'service_id',
  'click_paydoc_id',
  'merchant_trans_id',
  'amount',
  'action',
  'error',
  'sign_time',
  'sign_string',
] as const;

const DIGITS = /^\d{1,19}$/;

/**
 * Reads a form as Click posts it.
 *
 * @returns the fields, `''` for a missing one, and whether all required ones are there
 */
export function parseClickCall(body: Uint8Array): { call: ClickCall; isWhole: boolean } {
  const form = new URLSearchParams(Buffer.from(body).toString('utf8'));
  const textOf = (name: string) => form.get(name) ?? '';
  const call: ClickCall = {
    click_trans_id: textOf('click_trans_id'),
    service_id: textOf('service_id'),
    click_paydoc_id: textOf('click_paydoc_id'),
    merchant_trans_id: textOf('merchant_trans_id'),
    merchant_prepare_id: textOf('merchant_prepare_id'),
    amount: textOf('amount'),
    action: textOf('action'),
    error: textOf('error'),
    error_note: textOf('error_note'),
    sign_time: textOf('sign_time'),
    sign_string: textOf('sign_string'),
  };
  const isThere = FIELDS.every((name) => call[name] !== '');
  const isComplete = call.action !== '1' || call.merchant_prepare_id !== '';
  const isInDigits = DIGITS.test(call.click_trans_id) && DIGITS.test(call.click_paydoc_id);
  const isWhole = isThere && isComplete && isInDigits && /^-?\d{1,9}$/.test(call.error);
  return { call, isWhole };
}

/** The signature that a call must carry: MD5 over the texts as they were sent, without separators. */
export function clickSignature(call: ClickCall, secretKey: string): string {
  const prepareId = call.action === '1' ? call.merchant_prepare_id : '';
  const text = [
    call.click_trans_id,
    call.service_id,
    secretKey,
    call.merchant_trans_id,
    prepareId,
    call.amount,
    call.action,
    call.sign_time,
  ].join('');
  return createHash('md5').update(text).digest('hex');
}

/** Whether the service's key signs a call; the comparison takes constant time. */
export function isSigned(call: ClickCall, secretKey: string): boolean {
  const given = Buffer.from(call.sign_string.toLowerCase());
  const wanted = Buffer.from(clickSignature(call, secretKey));
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

/** Soums with up to two decimals as tiyin, exactly; null for an invalid amount. */
export const amountIn = (call: ClickCall): bigint | null => fromDecimalString(call.amount, 'UZS');

/**
 * An answer in JSON. Click's id goes back as the digits that came: it may be beyond 2^53.
 *
 * @param ours the number of the Prepare or of the Complete, null where there is none
 */
export function clickAnswer(
  call: ClickCall,
  error: ClickError,
  ours: { name: 'merchant_prepare_id' | 'merchant_confirm_id'; number: number | null } | null,
): string {
  const [code, note] = CLICK_ERRORS[error];
  const id = DIGITS.test(call.click_trans_id) ? BigInt(call.click_trans_id).toString() : 'null';
  const members = [
    `"click_trans_id":${id}`,
    `"merchant_trans_id":${JSON.stringify(call.merchant_trans_id)}`,
    ...(ours ? [`"${ours.name}":${ours.number}`] : []),
    `"error":${code}`,
    `"error_note":${JSON.stringify(note)}`,
  ];
  return `{${members.join(',')}}`;
}

/** The address at which a buyer pays at Click (Click, "button"): no signature, soums with decimals. */
export function clickLink(
  payUrl: string,
  order: {
    serviceId: string;
    merchantId: string;
    invoiceId: string;
    amount: string;
    returnUrl: string;
  },
): string {
  const query = new URLSearchParams({
    service_id: order.serviceId,
    merchant_id: order.merchantId,
    amount: order.amount,
    transaction_param: order.invoiceId,
    return_url: order.returnUrl,
  });
  return `${payUrl}?${query}`;
}

/** The `Auth` header of the Merchant API: user, SHA-1 of seconds and key, seconds. */
export function merchantApiAuth(userId: string, secretKey: string, now: Date): string {
  const seconds = Math.floor(now.getTime() / 1000);
  const digest = createHash('sha1').update(`${seconds}${secretKey}`).digest('hex');
  return `${userId}:${digest}:${seconds}`;
}
