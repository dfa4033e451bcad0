import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { settledRequestId } from '../rest/request-id.ts';
import { errorEnvelope } from '../wire/envelope.ts';
import { fixedHeaders } from './fixed-headers.ts';
import { inTurn } from './in-turn.ts';
import { readLateBodies } from './late-body.ts';
import {
  type AnsweringSocket,
  answerOnSocket,
  answerParserError,
  type Refusal,
} from './parser-error.ts';
import { logRefusal } from './refusal-log.ts';

/** Longer than a load balancer's usual minute, so that it is the balancer that closes. */
const KEEP_ALIVE_MS = 65_000;
export const HEADERS_TIMEOUT_MS = 15_000;
export const REQUEST_TIMEOUT_MS = 30_000;
/**
 * After so long without a byte either way a connection is cut off: of itself Node would wait for ever for
 * whoever takes nothing of an answer. Longer than any answer takes to begin, and than a download may rest.
 */
const SILENT_MS = 180_000;
/** Node's own half a minute would make these limits up to so much longer. */
const CHECK_EVERY_MS = 1_000;
/** Of the request line and all headers; an id in a query may be long, and is a 404 then. */
export const MAX_HEADER_BYTES = 64 * 1024;

/** What Next can be asked; to others it answers 500. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const ALLOW = METHODS.join(', ');
const TO_READ = ['GET', 'HEAD'];

const NO_METHOD: Refusal = { status: 405, message: 'Method not allowed' };
export const NO_HOST: Refusal = { status: 400, message: 'Host header is missing' };
export const NO_PATH: Refusal = { status: 400, message: 'Request target is not a path' };
export const NO_EXPECTATION: Refusal = {
  status: 417,
  message: 'Only 100-continue can be expected',
};

/** Answers in the envelope, with an `X-Request-Id`. */
function refuse(
  { request, response }: { request: IncomingMessage; response: ServerResponse },
  { status, message }: Refusal,
  headers: { [name: string]: string } = {},
): void {
  const body = errorEnvelope(status, message);
  const requestId = settledRequestId(request);
  response
    .writeHead(status, {
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'x-request-id': requestId,
      'content-length': Buffer.byteLength(body),
      ...fixedHeaders(),
      ...headers,
    })
    .end(body);
  logRefusal({ requestId, status }, request);
}

/** Of `http://shop.example/path`, as a proxy is asked, the path. */
function originForm(target: string): string {
  const rest = target.replace(/^https?:\/\/[^/?#]*/i, '');
  return rest === target || rest.startsWith('/') ? rest : `/${rest}`;
}

/**
 * Has `listener` asked only by requests that are for a path of this server's.
 *
 * Node lets HTTP/1.1 without a Host pass here: its own answer would be empty.
 */
export function forPaths(listener: RequestListener): RequestListener {
  return (request, response) => {
    const { url = '' } = request;
    if (!url.startsWith('/')) request.url = originForm(url);
    if (request.headers.host === undefined && request.httpVersion === '1.1') {
      refuse({ request, response }, NO_HOST);
    } else if (!request.url?.startsWith('/')) {
      refuse({ request, response }, NO_PATH);
    } else {
      listener(request, response);
    }
  };
}

/**
 * Has `listener` asked only by methods that Next knows; where `isFile`, only by those that read, since
 * to others Next answers 500.
 */
export function forMethods(
  listener: RequestListener,
  isFile: (url: string) => boolean,
): RequestListener {
  return (request, response) => {
    const { method = '', url = '' } = request;
    if (!METHODS.includes(method)) refuse({ request, response }, NO_METHOD, { allow: ALLOW });
    else if (!TO_READ.includes(method) && isFile(url))
      refuse({ request, response }, NO_METHOD, { allow: TO_READ.join(', ') });
    else listener(request, response);
  };
}

/** A server with our limits, which answers in the envelope too where Node's own answer is empty. */
export function createHttpServer(): Server {
  const server = createServer({
    keepAliveTimeout: KEEP_ALIVE_MS,
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionsCheckingInterval: CHECK_EVERY_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
    requireHostHeader: false,
  });
  // Their size bounds them. Beyond 2,000 Node would leave out the rest, a Host or a token, silently.
  server.maxHeadersCount = 0;
  server.timeout = SILENT_MS;
  // Whoever has said all may close their side and still read the answer (RFC 9112, 9.6). So
  // nobody who leaves is noticed before the answer: what may take long needs a limit of its own.
  Object.assign(server, { httpAllowHalfOpen: true });
  readLateBodies(server);
  server.on('clientError', answerParserError);
  server.on(
    'checkExpectation',
    inTurn((request, response) =>
      // Its body may come or not.
      refuse({ request, response }, NO_EXPECTATION, { connection: 'close' }),
    ),
  );
  server.on('connect', (request, socket: AnsweringSocket) => {
    // Node has let go of the socket, even to close it: an answer before might never be read.
    socket.on('error', () => socket.destroy());
    if (socket._httpMessage) socket.destroy();
    else answerOnSocket(socket, { ...NO_METHOD, headers: [`Allow: ${ALLOW}`] }, request);
  });
  return server;
}
