import { parentPort } from 'node:worker_threads';
import type { ReceiptContent } from './receipt-content.ts';
import { receiptPdf } from './receipt-pdf.ts';

// What the thread of receipt-file.ts runs.

/** A receipt to be drawn. */
export type ReceiptWork = { content: ReceiptContent; paidAt: Date };

parentPort?.on('message', ({ content, paidAt }: ReceiptWork) => {
  // What is thrown here ends the thread, and so is heard of.
  void receiptPdf(content, paidAt).then((pdf) => parentPort?.postMessage(pdf));
});
