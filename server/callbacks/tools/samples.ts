import {
  PRESET_EVENT_TYPES,
  REFUND_STATUS_AFTER,
  type WrittenEventType,
} from '../../events/types.ts';
import { STATUS_CODES } from '../../invoices/types.ts';
import { randomText } from '../../lib/random-text.ts';
import { REFUND_STATUS_CODES } from '../../refunds/types.ts';
import type { CallbackKind } from '../types.ts';

/** The statuses that a merchant's server is notified of. */
export const SAMPLE_STATUSES = ['PAID', 'EXPIRED', 'CANCELED'] as const;
export type SampleStatus = (typeof SAMPLE_STATUSES)[number];

/** The events that are sent unless others are chosen. */
export const SAMPLE_EVENTS = PRESET_EVENT_TYPES;

/** A callback without an invoice. */
export type Sample = {
  kind: CallbackKind;
  /** The callback's id: `ntf_…`, or `evt_…` of an event. */
  id: string;
  invoiceId: string;
  body: Buffer;
};

const RANDOM_LENGTH = 24;
const AMOUNT_MINOR = 1500;
/** A merchant may write it like this; JavaScript's parsing and writing would change it. */
const MERCHANT_DATA = String.raw`{"test": true, "10": 1.50, "9": "\u00e9"}`;

/**
 * A body as the contract describes it ("Events"), for an invoice that does not exist: its ids begin
 * with `inv_test_` and `test_`, which ours never do, and in its `merchant_data` `test` is true.
 * Only a signature over its exact bytes fits.
 */
export function makeSample(
  status: SampleStatus,
  { publicUrl, now }: { publicUrl: string; now: Date },
): Sample {
  const random = randomText(RANDOM_LENGTH);
  const invoiceId = `inv_test_${random}`;
  const price = { amount: AMOUNT_MINOR, currency: 'USD' };
  const body = {
    invoice_id: invoiceId,
    status: STATUS_CODES[status],
    ...price,
    description: 'Test callback: there is no such invoice',
    merchant_transaction_id: `test_${random}`,
    positions: [{ title: 'Test position', ...price }],
    merchant_data: null,
    created_at: now.getTime(),
    updated_at: now.getTime(),
    extra_data:
      status === 'PAID'
        ? {
            provider: 'test',
            transaction_id: `test_${random}`,
            receipt_url: `${publicUrl}/pay/${invoiceId}/receipt`,
          }
        : {},
  };
  const text = JSON.stringify(body).replace(
    '"merchant_data":null',
    () => `"merchant_data":${MERCHANT_DATA}`,
  );
  return { kind: 'notification', id: `ntf_test_${random}`, invoiceId, body: Buffer.from(text) };
}

/** An event of an invoice that does not exist, with ids as in the sample of a notification. */
export function makeSampleEvent(type: WrittenEventType, { now }: { now: Date }): Sample {
  const random = randomText(RANDOM_LENGTH);
  const invoiceId = `inv_test_${random}`;
  const price = { amount: AMOUNT_MINOR, currency: 'USD' };
  const status = REFUND_STATUS_AFTER[type];
  const data = status
    ? {
        refund_id: `ref_test_${random}`,
        refund_transaction_id: `test_${random}`,
        status: REFUND_STATUS_CODES[status],
        ...price,
        reason: 'Test event: there is no such refund',
        failure_reason: status === 'FAILED' ? 'Test failure' : null,
      }
    : {
        merchant_transaction_id: `test_${random}`,
        status: STATUS_CODES.PAID,
        ...price,
        extra_data: {},
      };
  const body = { type, timestamp: now.toISOString(), data: { invoice_id: invoiceId, ...data } };
  const id = `evt_${type.split('.')[1]}_test_${random}`;
  return { kind: 'event', id, invoiceId, body: Buffer.from(JSON.stringify(body)) };
}
