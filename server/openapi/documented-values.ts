import { RETRY_DELAYS_MS } from '../callbacks/schedule.ts';
import { INVOICE_LIMITS } from '../invoices/types.ts';
import { type SandboxOutcome, TEST_CARDS } from '../payments/providers/sandbox/test-cards.ts';
import { MERCHANT_DATA_MAX_BYTES } from '../wire/create-request.ts';
import { BODY_LIMIT_BYTES } from '../wire/json-body.ts';
import { MERCHANT_DATA_MAX_DEPTH } from '../wire/json-source.ts';

/** The documentation's figures, from the constants that the gateway uses. */
export type DocumentedValues = {
  /** The pause after attempt 1, 2, …; without jitter. */
  retryDelaysMs: readonly number[];
  testCards: readonly { number: string; brand: string; outcome: SandboxOutcome }[];
  bodyBytes: number;
  positions: number;
  merchantDataBytes: number;
  merchantDataLevels: number;
  merchantTransactionIdCharacters: number;
};

/** The figures of the documentation. */
export function documentedValues(): DocumentedValues {
  return {
    retryDelaysMs: RETRY_DELAYS_MS,
    testCards: TEST_CARDS,
    bodyBytes: BODY_LIMIT_BYTES,
    positions: INVOICE_LIMITS.positions,
    merchantDataBytes: MERCHANT_DATA_MAX_BYTES,
    merchantDataLevels: MERCHANT_DATA_MAX_DEPTH,
    merchantTransactionIdCharacters: INVOICE_LIMITS.merchantTransactionId,
  };
}
