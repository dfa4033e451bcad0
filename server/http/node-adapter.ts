import type { IncomingMessage, ServerResponse } from 'node:http';
import { CallerLeftError } from '../rest/caller-left.ts';
import type { RestHandler } from '../rest/handler.ts';
import type { HeldBody } from '../rest/held-body.ts';
import { settledRequestId } from '../rest/request-id.ts';
import type { BodyRefusal, RestRequest, RestResponse } from '../rest/types.ts';
import { fixedHeaders } from './fixed-headers.ts';
import { hasNoBody } from './late-body.ts';
import { peerOf } from './peer-address.ts';
import { readQuery } from './query.ts';

// Whoever goes on sending after a 413 is listened to for so long, in order to
// read the answer, and then cut off.
const MAX_DISCARDED_BYTES = 4 * 1024 * 1024;

// Plain segments only. Everything that Next would clean up or decode first (`%63`,
// `..`, a slash at the end) goes through Next, so that both doors lead to the same
// place. Of an environment that there is not, the API's own paths are answered here as well: Next
// would give `/api/auth/invoice/create` to whoever signs people in.
const REST_PATH =
  /^\/api\/(?:sandbox|production|[A-Za-z0-9_-]+(?=\/(?:invoice|test)\/))(?:\/[A-Za-z0-9_-]+)+$/;

/** Whether a path is meant for the REST handler, however oddly it ends. */
export function isMeantForRest(path: string): boolean {
  return /^\/api\/[^/]+\/(?:invoice|test)\//.test(path);
}

/** The path of a URL that the REST handler answers, or null. */
export function restPathOf(url: string): string | null {
  const end = url.indexOf('?');
  const path = end < 0 ? url : url.slice(0, end);
  return REST_PATH.test(path) ? path : null;
}

function headerOf(request: IncomingMessage, name: string): string | null {
  const value = request.headers[name];
  if (value === undefined) return null;
  return typeof value === 'string' ? value : value.join(', ');
}

/** Collects a body; a class, because closures for every request are felt here. */
class NodeBody {
  private readonly chunks: Buffer[] = [];
  private length = 0;
  private isRefused = false;
  private readonly request: IncomingMessage;
  private readonly limitBytes: number;
  private readonly held: HeldBody;
  private readonly settle: (body: Uint8Array | BodyRefusal) => void;

  constructor(
    request: IncomingMessage,
    { limitBytes, held }: { limitBytes: number; held: HeldBody },
    settle: (body: Uint8Array | BodyRefusal) => void,
  ) {
    this.request = request;
    this.limitBytes = limitBytes;
    this.held = held;
    this.settle = settle;
    const announced = Number(request.headers['content-length'] ?? 0);
    if (announced > limitBytes) this.refuse('too_large');
  }

  add(chunk: Buffer): void {
    this.length += chunk.length;
    if (this.length > this.limitBytes + MAX_DISCARDED_BYTES) this.request.destroy();
    if (this.isRefused) return;
    if (this.length > this.limitBytes) this.refuse('too_large');
    else if (this.held.take(chunk.length)) this.chunks.push(chunk);
    else this.refuse('busy');
  }

  end(): void {
    if (this.isRefused) return;
    const [first] = this.chunks;
    this.settle(this.chunks.length === 1 && first ? first : Buffer.concat(this.chunks));
  }

  /**
   * Every request closes; only of those that are cut off an error is made, since its stack costs
   * more than reading an ordinary body.
   */
  close(reject: (error: Error) => void): void {
    if (!this.request.complete) reject(new CallerLeftError());
  }

  private refuse(refusal: BodyRefusal): void {
    this.isRefused = true;
    this.chunks.length = 0;
    this.settle(refusal);
  }
}

/**
 * Reads a body and counts its bytes; what comes after a refusal is thrown away.
 *
 * @throws CallerLeftError when it breaks off
 */
export function readNodeBody(
  request: IncomingMessage,
  limitBytes: number,
  held: HeldBody,
): Promise<Uint8Array | BodyRefusal> {
  return new Promise((resolve, reject) => {
    const body = new NodeBody(request, { limitBytes, held }, resolve);
    request
      .on('data', (chunk: Buffer) => body.add(chunk))
      .on('end', () => body.end())
      .on('error', () => body.close(reject))
      .on('close', () => body.close(reject));
  });
}

/**
 * Head and body as one piece. `end(body)` would add an empty one, and to write two costs a sixth
 * of all that `node:http` takes for a request; as does UTF-8 where each character is one byte.
 */
function write(response: ServerResponse, { status, headers, body }: RestResponse): void {
  const length = typeof body === 'string' ? Buffer.byteLength(body) : body.length;
  headers['content-length'] = String(length);
  // Not by `setHeader`, which costs an eighth of a whole status.
  response.writeHead(status, Object.assign(headers, fixedHeaders()));
  const { socket } = response;
  socket?.cork();
  response.write(body, length === body.length ? 'latin1' : 'utf8');
  socket?.uncork();
  response.end();
}

/** A request of node:http; a class, because closures for every request are felt here. */
class NodeRequest implements RestRequest {
  readonly method: string;
  readonly path: string;
  readonly remoteAddress: string;
  private readonly request: IncomingMessage;
  private parsed: URLSearchParams | undefined;

  constructor(request: IncomingMessage, path: string, trustedProxyHops: number) {
    this.request = request;
    this.method = request.method ?? 'GET';
    this.path = path;
    this.remoteAddress = peerOf(request, trustedProxyHops);
  }

  get query(): URLSearchParams {
    this.parsed ??= readQuery((this.request.url ?? '').slice(this.path.length));
    return this.parsed;
  }

  header(name: string): string | null {
    return headerOf(this.request, name);
  }

  readBody(limitBytes: number, held: HeldBody): Promise<Uint8Array | BodyRefusal> {
    return readNodeBody(this.request, limitBytes, held);
  }
}

/** Sends an answer; tells `fail` if it cannot be written. */
function send(response: ServerResponse, answer: RestResponse, fail: (error: unknown) => void) {
  try {
    write(response, answer);
  } catch (error) {
    fail(error);
  }
}

/** A request of node:http, where its answer goes, and its path without the query. */
export type NodeExchange = {
  request: IncomingMessage;
  response: ServerResponse;
  path: string;
};

/**
 * Answers one request of a node:http server by the REST handler.
 *
 * @param fail told what went wrong when there is no answer
 */
export function answerNodeRequest(
  handler: RestHandler,
  { request, response, path }: NodeExchange,
  trustedProxyHops: number,
  fail: (error: unknown) => void,
): void {
  try {
    // Read once, a request counts as read. Node would otherwise empty it after its answer, by
    // seven steps that cost a tenth of a whole status while Next makes a page. Such
    // a request tells neither of its end nor of its closing, and nobody listens for them.
    if (hasNoBody(request)) request.read();
    // Whoever refuses a broken body answers under the id that the handler logs.
    else settledRequestId(request);
    handler
      .handle(new NodeRequest(request, path, trustedProxyHops))
      .chain((answer) => send(response, answer, fail), fail);
  } catch (error) {
    fail(error);
  }
}
