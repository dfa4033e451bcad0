import {
  brotliDecompressSync,
  gunzipSync,
  inflateRawSync,
  inflateSync,
  type ZlibOptions,
} from 'node:zlib';
import type { Observation } from './types.ts';

type Decode = (body: Buffer, options: ZlibOptions) => Buffer;

const ZLIB_METHOD = 8;

/** Some servers leave out the header that `deflate` begins with. */
const inflate: Decode = (body, options) =>
  ((body[0] ?? 0) & 0x0f) === ZLIB_METHOD
    ? inflateSync(body, options)
    : inflateRawSync(body, options);

const DECODERS: ReadonlyMap<string, Decode> = new Map([
  ['identity', (body: Buffer) => body],
  ['gzip', gunzipSync],
  ['x-gzip', gunzipSync],
  ['deflate', inflate],
  ['br', brotliDecompressSync],
]);

/**
 * An answer without the coding that its server gave it: unasked, but HTTP lets it (RFC 9110, 12.5.3).
 * What does not decode stays as it came, for some name a coding and use none.
 *
 * @param limitBytes how long the decoded answer may be, as any other
 */
export function withoutCoding(
  observation: Observation,
  coding: string,
  limitBytes: number,
): Observation {
  const { body } = observation;
  if (body.length === 0) return observation;
  const decode = DECODERS.get(coding.trim().toLowerCase());
  try {
    if (decode) return { ...observation, body: decode(body, { maxOutputLength: limitBytes }) };
  } catch (error) {
    if ((error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE') {
      return { ...observation, body: Buffer.alloc(0), failure: 'too_large' };
    }
  }
  return { ...observation, isEncoded: true };
}
