import { requestIdOf } from '#server/rest/request-id.ts';
import { comeBack } from '../loader.ts';

type Context = { params: Promise<{ invoiceId: string }> };

/**
 * The address that an acquirer or a bank sends the buyer back to, by a link or a form. The
 * request's content is not trusted: the acquirer is asked, and the page shows the outcome.
 */
async function answer(request: Request, { params }: Context): Promise<Response> {
  const { invoiceId } = await params;
  const attemptId = new URL(request.url).searchParams.get('attempt') ?? '';
  await comeBack(attemptId, requestIdOf(request.headers.get('x-request-id')));
  // 303 does not repeat a posted form; a relative address stays on this host.
  const headers = {
    Location: `/pay/${encodeURIComponent(invoiceId)}`,
    'Cache-Control': 'no-store',
  };
  return new Response(null, { status: 303, headers });
}

export { answer as GET, answer as POST };
