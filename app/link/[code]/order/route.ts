import { vouchedPeer } from '#server/http/peer-address.ts';
import { requestIdOf } from '#server/rest/request-id.ts';
import { settings } from '#server/settings/settings.ts';
import { placeOrder } from '../loader.ts';
import { linkLocale } from '../locale.ts';
import { keepOrder, TYPED_ORDER, typedOrder } from '../typed-order.ts';

/**
 * Where a link's page posts the buyer's order: 303 to the payment page of the invoice, or back to
 * the link's page, which says why not. Only pages of ours may post here.
 */
export async function POST(
  request: Request,
  { params }: { params: Promise<{ code: string }> },
): Promise<Response> {
  const { code } = await params;
  const form = await request.formData().catch(() => new FormData());
  const typed = typedOrder(form);
  const formKey = form.get('formKey');
  const placed = await placeOrder(
    code,
    { typed, formKey: typeof formKey === 'string' ? formKey : '' },
    {
      address: vouchedPeer(request.headers),
      locale: await linkLocale(code),
      requestId: requestIdOf(request.headers.get('x-request-id')),
    },
  );
  const page = `/link/${encodeURIComponent(code)}`;
  const headers = new Headers({ 'Cache-Control': 'no-store' });
  const secure = settings().publicUrl.startsWith('https:') ? '; Secure' : '';
  const keep = (value: string, maxAgeS: number) =>
    headers.append(
      'Set-Cookie',
      `${TYPED_ORDER}=${value}; Path=${page}; Max-Age=${maxAgeS}; HttpOnly; SameSite=Lax${secure}`,
    );
  if (placed.outcome === 'made') {
    keep('', 0);
    headers.set('Location', `/pay/${placed.invoiceId}`);
  } else if (placed.outcome === 'faults') {
    // What was typed, such as an e-mail address, stands in no address and no log.
    keep(keepOrder(typed), 600);
    const faults = new URLSearchParams(placed.faults.map((fault) => ['fault', fault]));
    headers.set('Location', `${page}?${faults}`);
  } else {
    headers.set('Location', page);
  }
  return new Response(null, { status: 303, headers });
}
