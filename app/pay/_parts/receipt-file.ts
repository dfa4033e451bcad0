import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { projectRoot } from '#server/env.ts';
import { SideThread } from '#server/lib/side-thread.ts';
import type { ReceiptContent } from './receipt-content.ts';
import type { ReceiptWork } from './receipt-thread.ts';

const FILE = join(projectRoot(), 'app', 'pay', '_parts', 'receipt-thread.ts');

const thread = new SideThread<ReceiptWork, Uint8Array>({
  url: pathToFileURL(FILE).href,
  most: 16,
  limitMs: 20_000,
  idleMs: 60_000,
});

/**
 * A receipt as a PDF: made in a thread, because even a short one takes longer than other requests
 * may be kept waiting.
 *
 * @throws GatewayError `unavailable` when too many are asked for at once
 */
export function receiptFile(content: ReceiptContent, paidAt: Date): Promise<Uint8Array> {
  return thread.run({ content, paidAt });
}
