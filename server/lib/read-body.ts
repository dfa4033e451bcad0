/**
 * Reads a request's body and counts its bytes, for not every body announces its length.
 *
 * @throws whatever the reader does when the caller leaves
 */
export async function readBody(
  request: Request,
  limitBytes: number,
): Promise<Uint8Array | 'too_large'> {
  if (Number(request.headers.get('content-length') ?? 0) > limitBytes) return 'too_large';
  if (request.body === null) return new Uint8Array(0);
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = request.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return Buffer.concat(chunks);
    length += value.length;
    if (length > limitBytes) {
      await reader.cancel();
      return 'too_large';
    }
    chunks.push(value);
  }
}
