import { requestIdOf } from '#server/rest/request-id.ts';
import { settings } from '#server/settings/settings.ts';
import { BUYER_EMAIL, begin } from '../loader.ts';
import { buyerLocale } from '../locale.ts';

type Context = { params: Promise<{ invoiceId: string }> };

/** Longer than any address, and short enough for a cookie. */
const MAX_TYPED = 400;

/** The next try on this page begins with what was typed; nobody else with the link can read it. */
function remembering(invoiceId: string, email: string): string {
  const secure = settings().publicUrl.startsWith('https:') ? '; Secure' : '';
  const path = `/pay/${encodeURIComponent(invoiceId)}`;
  return `${BUYER_EMAIL}=${encodeURIComponent(email)}; Path=${path}; Max-Age=86400; HttpOnly; SameSite=Lax${secure}`;
}

/**
 * Where the payment page posts the buyer's choice of an acquirer: 303 to the acquirer, or back to the
 * page, which says why not. Only pages of ours may post here.
 */
export async function POST(request: Request, { params }: Context): Promise<Response> {
  const { invoiceId } = await params;
  const form = await request.formData().catch(() => new FormData());
  const method = form.get('method');
  const typed = form.get('email');
  const email = typeof typed === 'string' ? typed.slice(0, MAX_TYPED) : null;
  const requestId = requestIdOf(request.headers.get('x-request-id'));
  const locale = await buyerLocale(invoiceId);
  const accountId = typeof method === 'string' ? method : '';
  const Location = await begin({ invoiceId, accountId, email, locale, requestId });
  const headers = new Headers({ Location, 'Cache-Control': 'no-store' });
  if (email !== null) headers.append('Set-Cookie', remembering(invoiceId, email));
  return new Response(null, { status: 303, headers });
}
