import { cookies } from 'next/headers';
import { isLocale, LOCALE_COOKIE } from '#server/lib/locales.ts';
import { loadInvoice } from '../loader.ts';

/**
 * The state that an open page asks for now and then: whether its content is still true, the
 * language that the buyer has chosen (null for none), and the status for who shows the link.
 */
export async function GET(
  _request: Request,
  { params }: { params: Promise<{ invoiceId: string }> },
): Promise<Response> {
  const { invoiceId } = await params;
  const loaded = await loadInvoice(invoiceId);
  const headers = { 'Cache-Control': 'no-store' };
  if (loaded.kind === 'unknown') return Response.json({ version: null }, { status: 404, headers });
  if (loaded.kind === 'trouble') return Response.json({ version: null }, { status: 503, headers });
  const chosen = (await cookies()).get(LOCALE_COOKIE)?.value;
  const locale = isLocale(chosen) ? chosen : null;
  const { status } = loaded.invoice;
  return Response.json({ version: loaded.version, locale, status }, { headers });
}
