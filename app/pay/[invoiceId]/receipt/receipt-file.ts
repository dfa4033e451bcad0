import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Locale } from '#app/_i18n/locales.ts';
import { GatewayError } from '#server/lib/errors.ts';
import { SideThread } from '#server/lib/side-thread.ts';
import { projectRoot } from '#server/settings/settings.ts';
import type { ReceiptWork } from './receipt-thread.ts';

const FILE = join(projectRoot(), 'app/pay/[invoiceId]/receipt/receipt-thread.ts');

/** Of the places in the thread's line, so that no merchant's receipts take those of all. */
const MOST_OF_MERCHANT = 4;

const thread = new SideThread<ReceiptWork, Uint8Array>({
  url: pathToFileURL(FILE).href,
  most: 16,
  limitMs: 20_000,
  idleMs: 60_000,
});

/** Whose receipt it is, and in which language. */
export type ReceiptOwner = { merchantId: string; invoiceId: string; locale: Locale };

/** What is being made, by invoice and language. */
const making = new Map<string, { merchantId: string; file: Promise<Uint8Array> }>();

/**
 * A receipt as a PDF: made in a thread, because even a short one takes longer than other requests
 * may be kept waiting. Whoever asks for one that is being made has that one.
 *
 * @throws GatewayError `unavailable` when too many are asked for at once, of all or of the merchant
 */
export async function receiptFile(
  { merchantId, invoiceId, locale }: ReceiptOwner,
  work: ReceiptWork,
): Promise<Uint8Array> {
  const key = `${invoiceId} ${locale}`;
  const same = making.get(key);
  if (same) return await same.file;
  const others = [...making.values()].filter((each) => each.merchantId === merchantId);
  if (others.length >= MOST_OF_MERCHANT) throw new GatewayError('unavailable', 'Service is busy');
  const file = thread.run(work).finally(() => making.delete(key));
  making.set(key, { merchantId, file });
  return await file;
}
