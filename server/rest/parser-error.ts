import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { errorEnvelope } from '../wire/envelope.ts';
import { requestIdOf } from './request-id.ts';

type Refusal = { status: 400 | 408 | 413 | 431; message: string };

const REFUSALS: { readonly [code: string]: Refusal } = {
  HPE_HEADER_OVERFLOW: { status: 431, message: 'Request line and headers are too large' },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { status: 413, message: 'Chunk extensions are too large' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: 'Request did not arrive in time' },
};
const UNREAD_MS = 1_000;
const NO_HTTP: Refusal = { status: 400, message: 'Request is not valid HTTP' };

/**
 * Answers what node:http could not parse, in the envelope and with an `X-Request-Id`, and closes
 * the connection. Of such a request not even the path is known.
 */
export function answerParserError(error: NodeJS.ErrnoException, socket: Duplex): void {
  // Node's own mark of the answer that is being given on this connection, as its default reads it.
  const { _httpMessage: current } = socket as Duplex & { _httpMessage?: ServerResponse | null };
  if (error.code === 'ECONNRESET' || !socket.writable || current?.headersSent) {
    socket.destroy();
    return;
  }
  const { status, message } = REFUSALS[error.code ?? ''] ?? NO_HTTP;
  const body = errorEnvelope(status, message);
  const end = () => socket.destroy();
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'Content-Type: application/json',
      'Cache-Control: no-store',
      `X-Request-Id: ${requestIdOf(null)}`,
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
    // Or the rest of a request that was told 408 could still arrive, and be carried out.
    end,
  );
  // For who does not read.
  setTimeout(end, UNREAD_MS).unref();
}
