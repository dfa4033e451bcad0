import { requestIdOf } from '#server/rest/request-id.ts';
import { comeBack } from '../loader.ts';

type Context = { params: Promise<{ invoiceId: string }> };

/**
 * Where an acquirer or a bank sends the buyer back to, by a link or by a form. Nothing that it brings
 * along is believed: the acquirer is asked, and the page shows what came of it.
 */
async function answer(request: Request, { params }: Context): Promise<Response> {
  const { invoiceId } = await params;
  const attemptId = new URL(request.url).searchParams.get('attempt') ?? '';
  await comeBack(attemptId, requestIdOf(request.headers.get('x-request-id')));
  // 303, so that a posted form is not posted on; relative, so that it stays where it is.
  const headers = {
    Location: `/pay/${encodeURIComponent(invoiceId)}`,
    'Cache-Control': 'no-store',
  };
  return new Response(null, { status: 303, headers });
}

export { answer as GET, answer as POST };
