import { handleAcquirerCall } from '../rest/acquirer-calls.ts';
import { handleRest } from '../rest/handler.ts';
import type { RestRequest, RestResponse } from '../rest/types.ts';
import { vouchedPeer } from './peer-address.ts';

// A sender that goes on beyond this is cut off, and may not get to read the refusal.
const MAX_DISCARDED_BYTES = 4 * 1024 * 1024;

/**
 * Reads a body and counts its bytes, because Next would silently truncate a long one. A body that
 * is too long is read on for a while, so that its sender gets to read the refusal.
 */
async function readBody(request: Request, limitBytes: number): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request.body ?? []) {
    length += chunk.length;
    if (length > limitBytes + MAX_DISCARDED_BYTES) return null;
    if (length <= limitBytes) chunks.push(chunk);
  }
  return length > limitBytes ? null : Buffer.concat(chunks);
}

async function answerBy(
  handle: (request: RestRequest) => Promise<RestResponse>,
  request: Request,
): Promise<Response> {
  const url = new URL(request.url);
  const { status, headers, body } = await handle({
    method: request.method,
    path: url.pathname,
    query: url.searchParams,
    header: (name) => request.headers.get(name),
    readBody: (limitBytes) => readBody(request, limitBytes),
    remoteAddress: vouchedPeer(request.headers),
  });
  return new Response(typeof body === 'string' ? body : new Uint8Array(body), { status, headers });
}

/** Answers a Fetch API request, as Next's route handlers get it, by the REST handler. */
export function answerWebRequest(request: Request): Promise<Response> {
  return answerBy(handleRest, request);
}

/** Answers an acquirer's call to the hook of an account. */
export function answerAcquirerCall(request: Request): Promise<Response> {
  return answerBy(handleAcquirerCall, request);
}
