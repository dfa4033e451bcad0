import { CallerLeftError } from './caller-left.ts';
import { handleRest } from './handler.ts';
import { vouchedPeer } from './peer-address.ts';

/** Reads a body and counts its bytes; Next itself would cut a long one short without a word. */
async function readBody(request: Request, limitBytes: number): Promise<Uint8Array | 'too_large'> {
  if (Number(request.headers.get('content-length') ?? 0) > limitBytes) return 'too_large';
  if (request.body === null) return new Uint8Array(0);
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = request.body.getReader();
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      throw new CallerLeftError();
    });
    if (done) return Buffer.concat(chunks);
    length += value.length;
    if (length > limitBytes) {
      await reader.cancel();
      return 'too_large';
    }
    chunks.push(value);
  }
}

/** Answers a Fetch API request, as Next's route handlers get it, by the REST handler. */
export async function answerWebRequest(request: Request): Promise<Response> {
  const url = new URL(request.url);
  const { status, headers, body } = await handleRest({
    method: request.method,
    path: url.pathname,
    query: url.searchParams,
    header: (name) => request.headers.get(name),
    readBody: (limitBytes) => readBody(request, limitBytes),
    remoteAddress: vouchedPeer(request.headers),
  });
  return new Response(typeof body === 'string' ? body : new Uint8Array(body), { status, headers });
}
