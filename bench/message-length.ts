const HEAD_END = Buffer.from('\r\n\r\n');
const LENGTH = Buffer.from('content-length: ');
const LAST_CHUNK = Buffer.from('\r\n0\r\n\r\n');
const ZERO = 0x30;

/**
 * The length in bytes of the HTTP message at the start of `bytes`, body included, from its
 * lower-case `content-length`. Without it a message is chunked, and nothing follows. Nothing is
 * decoded.
 *
 * @returns null until the whole message has come
 */
export function messageLength(bytes: Buffer): number | null {
  const headEnd = bytes.indexOf(HEAD_END);
  if (headEnd < 0) return null;
  let at = bytes.indexOf(LENGTH) + LENGTH.length;
  if (at < LENGTH.length || at > headEnd) {
    return bytes.subarray(-LAST_CHUNK.length).equals(LAST_CHUNK) ? bytes.length : null;
  }
  let body = 0;
  for (let digit = bytes[at]; digit !== undefined && digit >= ZERO; digit = bytes[++at]) {
    body = body * 10 + digit - ZERO;
  }
  const length = headEnd + HEAD_END.length + body;
  return length <= bytes.length ? length : null;
}
