import { gunzipSync, inflateRawSync, inflateSync, type ZlibOptions } from 'node:zlib';
import type { Observation } from '../types.ts';

type Decode = (body: Buffer, options: ZlibOptions) => Buffer;

const ZLIB_METHOD = 8;

/** Some servers leave out the header of `deflate`. */
const inflate: Decode = (body, options) =>
  ((body[0] ?? 0) & 0x0f) === ZLIB_METHOD
    ? inflateSync(body, options)
    : inflateRawSync(body, options);

// `br` is missing: 53 bytes can make its decoder fill a window of 16 MiB even for a tiny result,
// which delayed everything else here by 46 ms.
const DECODERS: ReadonlyMap<string, Decode> = new Map([
  ['identity', (body: Buffer) => body],
  ['gzip', gunzipSync],
  ['x-gzip', gunzipSync],
  ['deflate', inflate],
]);

/**
 * Removes the coding of a server's answer: it was not requested, but HTTP permits it (RFC 9110,
 * 12.5.3). An answer that does not decode stays as it is, because some name a coding and use none.
 *
 * @param limitBytes the decoded answer's limit, like any other's
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
      return { ...observation, failure: 'too_large' };
    }
  }
  return { ...observation, isEncoded: true };
}
