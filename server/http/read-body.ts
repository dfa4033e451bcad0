/**
 * As much as is read of what is posted to a page: Next's own limit for an action, beyond which it
 * throws. No form of ours comes near.
 */
export const PAGE_BODY_BYTES = 1024 * 1024;

/**
 * Reads to the end what is not wanted. To cancel would destroy the request, and the rest would stay in
 * a connection that goes on.
 */
async function discard(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  while (!(await reader.read()).done);
}

/**
 * Reads a request's body and counts its bytes, for not every body announces its length.
 *
 * @param take told the bytes of each chunk before it is kept; where it says no, the answer is `busy`
 * @throws whatever the reader does when the caller leaves
 */
export async function readBody(
  request: Request,
  limitBytes: number,
  take: (chunkBytes: number) => boolean = () => true,
): Promise<Uint8Array<ArrayBuffer> | 'too_large' | 'busy'> {
  if (Number(request.headers.get('content-length') ?? 0) > limitBytes) return 'too_large';
  if (request.body === null) return new Uint8Array(0);
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = request.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return Buffer.concat(chunks);
    length += value.length;
    const refusal = length > limitBytes ? 'too_large' : 'busy';
    if (refusal === 'too_large' || !take(value.length)) {
      // The caller may leave meanwhile.
      discard(reader).catch(() => undefined);
      return refusal;
    }
    chunks.push(value);
  }
}
