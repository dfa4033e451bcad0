import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RestRequest, RestResponse } from '../rest/types.ts';
import { fixedHeaders } from './fixed-headers.ts';
import { peerOf } from './peer-address.ts';

// A sender that goes on after a 413 is read up to this limit, so that it gets to read the answer,
// and is then cut off.
const MAX_DISCARDED_BYTES = 4 * 1024 * 1024;

// The API's own paths are answered here even for an unknown environment: Next would hand
// `/api/auth/invoice/create` to the sign-in.
const REST_PATH = /^\/api\/(?:sandbox|production|[^/?]+(?=\/(?:invoice|test)\/))\/[^?]+/;

/** The path of a URL for the REST handler, or null. */
export function restPathOf(url: string): string | null {
  return REST_PATH.exec(url)?.[0] ?? null;
}

/** The path of a URL for the hooks of acquirers, or null. */
export function hookPathOf(url: string): string | null {
  return /^\/api\/acquirers\/[^?]+/.exec(url)?.[0] ?? null;
}

function headerOf(request: IncomingMessage, name: string): string | null {
  const value = request.headers[name];
  if (value === undefined) return null;
  return typeof value === 'string' ? value : value.join(', ');
}

/**
 * Reads a body and counts its bytes; discards everything beyond the limit.
 *
 * @returns null when the body is longer than `limitBytes`
 * @throws when the caller leaves before its end
 */
export function readNodeBody(
  request: IncomingMessage,
  limitBytes: number,
): Promise<Uint8Array | null> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = Number(request.headers['content-length'] ?? 0) > limitBytes ? limitBytes + 1 : 0;
    if (length > limitBytes) resolve(null);
    request
      .on('data', (chunk: Buffer) => {
        length += chunk.length;
        if (length <= limitBytes) chunks.push(chunk);
        else if (length > limitBytes + MAX_DISCARDED_BYTES) request.destroy();
        else resolve(null);
      })
      .on('end', () => resolve(Buffer.concat(chunks)))
      .on('error', reject)
      .on('close', () => {
        // Every request emits close; an error's stack costs more than reading an ordinary body.
        if (!request.complete) reject(new Error('the caller left before its request was complete'));
      });
  });
}

/**
 * Writes head and body as one piece. `end(body)` would add an empty piece; two writes cost a sixth
 * of `node:http`'s whole work for a request. So does UTF-8 where each character is one byte.
 */
function write(response: ServerResponse, { status, headers, body }: RestResponse): void {
  const length = typeof body === 'string' ? Buffer.byteLength(body) : body.length;
  headers['content-length'] = String(length);
  // `setHeader` costs an eighth of a whole status request.
  response.writeHead(status, Object.assign(headers, fixedHeaders()));
  const { socket } = response;
  socket?.cork();
  response.write(body, length === body.length ? 'latin1' : 'utf8');
  socket?.uncork();
  response.end();
}

/** A request of node:http; a class, because closures for every request cost too much here. */
class NodeRequest implements RestRequest {
  readonly method: string;
  readonly path: string;
  readonly remoteAddress: string;
  private readonly request: IncomingMessage;
  constructor(request: IncomingMessage, path: string, trustedProxyHops: number) {
    this.request = request;
    this.method = request.method ?? 'GET';
    this.path = path;
    this.remoteAddress = peerOf(request, trustedProxyHops);
  }

  get query(): URLSearchParams {
    return new URLSearchParams((this.request.url ?? '').slice(this.path.length));
  }

  header(name: string): string | null {
    return headerOf(this.request, name);
  }

  readBody(limitBytes: number): Promise<Uint8Array | null> {
    return readNodeBody(this.request, limitBytes);
  }
}

/** A node:http request, its response, and its path without the query. */
export type NodeExchange = {
  request: IncomingMessage;
  response: ServerResponse;
  path: string;
};

/**
 * Answers one node:http request.
 *
 * @param handle that of the REST endpoints or that of acquirers' calls
 * @param fail called with the error when there is no answer
 */
export function answerNodeRequest(
  handle: (request: RestRequest) => Promise<RestResponse>,
  { request, response, path }: NodeExchange,
  trustedProxyHops: number,
  fail: (error: unknown) => void,
): void {
  handle(new NodeRequest(request, path, trustedProxyHops))
    .then((answer) => write(response, answer))
    .catch(fail);
}
