import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { requestIdOf, settledRequestId } from '../rest/request-id.ts';
import { type EnvelopeErrorStatus, errorEnvelope } from '../wire/envelope.ts';
import { fixedHeaders } from './fixed-headers.ts';
import { logRefusal } from './refusal-log.ts';

/** What is said to a request that nobody handles. */
export type Refusal = { status: EnvelopeErrorStatus; message: string };

export const NO_HTTP: Refusal = { status: 400, message: 'Request is not valid HTTP' };
export const TOO_LATE: Refusal = { status: 408, message: 'Request did not arrive in time' };
export const CHUNKS_TOO_LARGE: Refusal = { status: 413, message: 'Chunk extensions are too large' };
export const HEADERS_TOO_LARGE: Refusal = {
  status: 431,
  message: 'Request line and headers are too large',
};

const REFUSALS: { readonly [code: string]: Refusal } = {
  HPE_HEADER_OVERFLOW: HEADERS_TOO_LARGE,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: CHUNKS_TOO_LARGE,
  ERR_HTTP_REQUEST_TIMEOUT: TOO_LATE,
};
const UNREAD_MS = 1_000;

export type AnsweringSocket = Duplex & {
  /** Node's own mark of the answer that is being given on it, as its default for errors reads it. */
  _httpMessage?: ServerResponse | null;
};

/** Sockets that are read no more: an error of the parser comes again with all that is sent. */
const refused = new WeakSet<Duplex>();

/**
 * Writes an answer to a request that has no ServerResponse, or whose handler still waits for its
 * body, and closes the connection.
 *
 * @param refusal.headers lines of the head
 */
export function answerOnSocket(
  socket: Duplex,
  { status, message, headers = [] }: Refusal & { headers?: string[] },
  request: IncomingMessage | undefined,
): void {
  const body = errorEnvelope(status, message);
  const requestId = request ? settledRequestId(request) : requestIdOf(null);
  const end = () => socket.destroy();
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'Content-Type: application/json',
      'Cache-Control: no-store',
      `X-Request-Id: ${requestId}`,
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Connection: close',
      ...Object.entries(fixedHeaders()).map(([name, value]) => `${name}: ${value}`),
      ...headers,
      '',
      body,
    ].join('\r\n'),
    // Or the rest of a request that was told 408 could still arrive, and be carried out.
    end,
  );
  // For who does not read.
  setTimeout(end, UNREAD_MS).unref();
  logRefusal({ requestId, status }, request);
}

/** Refuses and closes the connection, in turn: requests that came whole before are answered first. */
function refuseInTurn(socket: AnsweringSocket, refusal: Refusal): void {
  const { _httpMessage: current } = socket;
  if (current?.req.complete) {
    current.once('finish', () => refuseInTurn(socket, refusal));
    return;
  }
  if (!socket.writable || current?.headersSent) socket.destroy();
  else answerOnSocket(socket, refusal, current?.req);
}

/**
 * Answers what node:http could not parse, in the envelope and with an `X-Request-Id`, and closes
 * the connection. Where the head is what is broken, not even the path is known.
 */
export function answerParserError(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  if (refused.has(socket)) return;
  refused.add(socket);
  refuseInTurn(socket, REFUSALS[error.code ?? ''] ?? NO_HTTP);
}
