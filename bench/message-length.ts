const HEAD_END = Buffer.from('\r\n\r\n');
const LENGTH = Buffer.from('content-length: ');
const LAST_CHUNK = Buffer.from('\r\n0\r\n\r\n');
const ZERO = 0x30;

/**
 * Bytes of the HTTP message that `bytes` begin with, its body included, by its `content-length`, in
 * lower case. One without it has chunks, and nothing comes after it. Lean: nothing is decoded.
 *
 * @returns null until all of it has come
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
