import { GatewayError } from '#server/lib/errors.ts';
import { receiptOf } from '../../../_parts/receipt-content.ts';
import { receiptFile } from '../../../_parts/receipt-file.ts';
import { loadInvoice } from '../../loader.ts';
import { buyerLocale } from '../../locale.ts';

/** The receipt as a PDF; 404 unless the invoice is paid, 503 when that cannot be told or made. */
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
  try {
    const pdf = await receiptFile(content, new Date(loaded.invoice.statusChangedAtMs));
    return new Response(Buffer.from(pdf), {
      headers: {
        ...headers,
        'Content-Type': 'application/pdf',
        'Content-Disposition': `attachment; filename="receipt-${loaded.invoice.id}.pdf"`,
      },
    });
  } catch (error) {
    if (!(error instanceof GatewayError && error.code === 'unavailable')) throw error;
    return new Response(null, { status: 503, headers: { ...headers, 'Retry-After': '1' } });
  }
}
