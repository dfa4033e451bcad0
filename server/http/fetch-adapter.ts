import { CallerLeftError } from '../rest/caller-left.ts';
import { handleRest } from '../rest/handler.ts';
import type { HeldBody } from '../rest/held-body.ts';
import type { BodyRefusal } from '../rest/types.ts';
import { vouchedPeer } from './peer-address.ts';
import { readBody } from './read-body.ts';

/** Next itself would cut a long body short without a word. */
function bodyOf(
  request: Request,
  limitBytes: number,
  held: HeldBody,
): Promise<Uint8Array | BodyRefusal> {
  return readBody(request, limitBytes, (bytes) => held.take(bytes)).catch(() => {
    throw new CallerLeftError();
  });
}

/** Answers a Fetch API request, as Next's route handlers get it, by the REST handler. */
export async function answerWebRequest(request: Request): Promise<Response> {
  const url = new URL(request.url);
  const { status, headers, body } = await handleRest({
    method: request.method,
    path: url.pathname,
    get query() {
      return url.searchParams;
    },
    header: (name) => request.headers.get(name),
    readBody: (limitBytes, held) => bodyOf(request, limitBytes, held),
    remoteAddress: vouchedPeer(request.headers),
  });
  return new Response(typeof body === 'string' ? body : new Uint8Array(body), { status, headers });
}
