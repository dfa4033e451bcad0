import { receiptOf } from '../../../_parts/receipt-content.ts';
import { receiptPdf } from '../../../_parts/receipt-pdf.ts';
import { loadInvoice } from '../../loader.ts';
import { buyerLocale } from '../../locale.ts';

/** The receipt as a PDF; 404 unless the invoice is paid, 503 when that cannot be told. */
export async function GET(
  _request: Request,
  { params }: { params: Promise<{ invoiceId: string }> },
): Promise<Response> {
  const { invoiceId } = await params;
  const loaded = await loadInvoice(invoiceId);
  const headers = { 'Cache-Control': 'no-store' };
  if (loaded.kind === 'trouble') return new Response(null, { status: 503, headers });
  const content =
    loaded.kind === 'invoice' ? receiptOf(loaded, await buyerLocale(invoiceId)) : null;
  if (loaded.kind !== 'invoice' || !content) return new Response(null, { status: 404, headers });
  const pdf = await receiptPdf(content, new Date(loaded.invoice.statusChangedAtMs));
  return new Response(Buffer.from(pdf), {
    headers: {
      ...headers,
      'Content-Type': 'application/pdf',
      'Content-Disposition': `attachment; filename="receipt-${loaded.invoice.id}.pdf"`,
    },
  });
}
