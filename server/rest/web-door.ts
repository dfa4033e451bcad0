import { readBody } from '../lib/read-body.ts';
import { CallerLeftError } from './caller-left.ts';
import { handleRest } from './handler.ts';
import { vouchedPeer } from './peer-address.ts';

/** Next itself would cut a long body short without a word. */
function bodyOf(request: Request, limitBytes: number): Promise<Uint8Array | 'too_large'> {
  return readBody(request, limitBytes).catch(() => {
    throw new CallerLeftError();
  });
}

/** Answers a Fetch API request, as Next's route handlers get it, by the REST handler. */
export async function answerWebRequest(request: Request): Promise<Response> {
  const url = new URL(request.url);
  const { status, headers, body } = await handleRest({
    method: request.method,
    path: url.pathname,
    query: url.searchParams,
    header: (name) => request.headers.get(name),
    readBody: (limitBytes) => bodyOf(request, limitBytes),
    remoteAddress: vouchedPeer(request.headers),
  });
  return new Response(typeof body === 'string' ? body : new Uint8Array(body), { status, headers });
}
