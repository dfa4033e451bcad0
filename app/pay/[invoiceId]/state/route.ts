import { loadInvoice } from '../loader.ts';
import { buyerLocale } from '../locale.ts';

/** What an open page asks now and then: whether it still shows the truth, in the buyer's language. */
export async function GET(
  _request: Request,
  { params }: { params: Promise<{ invoiceId: string }> },
): Promise<Response> {
  const { invoiceId } = await params;
  const loaded = await loadInvoice(invoiceId);
  const headers = { 'Cache-Control': 'no-store' };
  if (loaded.kind === 'unknown') return Response.json({ version: null }, { status: 404, headers });
  if (loaded.kind === 'trouble') return Response.json({ version: null }, { status: 503, headers });
  const locale = await buyerLocale(invoiceId);
  return Response.json({ version: loaded.version, locale }, { headers });
}
