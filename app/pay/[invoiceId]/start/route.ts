import { requestIdOf } from '#server/rest/request-id.ts';
import { begin } from '../loader.ts';
import { buyerLocale } from '../locale.ts';

type Context = { params: Promise<{ invoiceId: string }> };

/**
 * Where the payment page posts the buyer's choice of an acquirer: 303 to the acquirer, or back to the
 * page, which says why not. Only pages of ours may post here.
 */
export async function POST(request: Request, { params }: Context): Promise<Response> {
  const { invoiceId } = await params;
  const form = await request.formData().catch(() => new FormData());
  const method = form.get('method');
  const requestId = requestIdOf(request.headers.get('x-request-id'));
  const locale = await buyerLocale(invoiceId);
  const accountId = typeof method === 'string' ? method : '';
  const Location = await begin({ invoiceId, accountId, locale, requestId });
  return new Response(null, { status: 303, headers: { Location, 'Cache-Control': 'no-store' } });
}
