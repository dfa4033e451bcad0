import { translatorOf } from '#server/i18n/translator.ts';
import type { Locale } from '#server/lib/locales.ts';
import { log } from '#server/observability/log.ts';
import { receiptOf } from '#server/receipts/receipt-content.ts';
import { receiptPdf } from '#server/receipts/receipt-pdf.ts';
import { loadInvoice, receiptAddress } from '../../loader.ts';
import { buyerLocale } from '../../locale.ts';

const NO_STORE = { 'Cache-Control': 'no-store' };

function unavailable(locale: Locale): Response {
  return new Response(translatorOf(locale, 'pay')('receipt.busy'), {
    status: 503,
    headers: { ...NO_STORE, 'Content-Type': 'text/plain; charset=utf-8', 'Retry-After': '5' },
  });
}

/** The receipt as a PDF; 404 unless the invoice is paid, 503 if it is unknown or fails. */
export async function GET(
  _request: Request,
  { params }: { params: Promise<{ invoiceId: string }> },
): Promise<Response> {
  const { invoiceId } = await params;
  const loaded = await loadInvoice(invoiceId);
  const locale = await buyerLocale(invoiceId);
  if (loaded.kind === 'trouble') return unavailable(locale);
  const content = loaded.kind === 'invoice' ? receiptOf(loaded, locale) : null;
  if (loaded.kind !== 'invoice' || !content) {
    return new Response(null, { status: 404, headers: NO_STORE });
  }
  const { id, statusChangedAtMs } = loaded.invoice;
  const lastChangeMs = loaded.refunds.at(-1)?.updatedAtMs ?? statusChangedAtMs;
  try {
    const madeAt = new Date(lastChangeMs);
    const pdf = await receiptPdf(content, { madeAt, locale, pageUrl: receiptAddress(id) });
    return new Response(new Uint8Array(pdf), {
      headers: {
        ...NO_STORE,
        'Content-Type': 'application/pdf',
        'Content-Disposition': `attachment; filename="receipt-${id}.pdf"`,
      },
    });
  } catch (error) {
    log().error({ err: error, invoiceId: id }, 'a receipt could not be made');
    return unavailable(locale);
  }
}
