import { CSV_START } from '#server/lib/csv.ts';

/** How many rows are read at a time. */
export const CSV_PAGE = 1_000;

/**
 * A file page by page as it is read: neither all rows nor all text are ever in memory. A reader
 * that goes away stops the reading.
 *
 * @param heads its first line
 * @param readPage the lines of the page after a cursor, `''` where it has none
 */
export function csvStream(
  heads: string,
  readPage: (cursor: string | null) => Promise<{ lines: string; nextCursor: string | null }>,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let cursor: string | null = null;
  return new ReadableStream({
    start(controller) {
      controller.enqueue(encoder.encode(CSV_START + heads));
    },
    async pull(controller) {
      const { lines, nextCursor } = await readPage(cursor);
      // An empty page in the middle of a long search as well: the stream would not ask again by itself.
      controller.enqueue(encoder.encode(lines));
      cursor = nextCursor;
      if (cursor === null) controller.close();
    },
  });
}

/** The answer that a browser saves as a file of that name. */
export function csvAnswer(file: ReadableStream<Uint8Array>, name: string): Response {
  return new Response(file, {
    headers: {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="${name}.csv"`,
      'Cache-Control': 'no-store',
    },
  });
}
