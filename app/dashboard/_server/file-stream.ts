import { TRPCError } from '@trpc/server';
import { getHTTPStatusCodeFromError } from '@trpc/server/http';
import { translatorOf } from '#server/i18n/translator.ts';
import { CSV_START } from '#server/lib/csv.ts';
import type { Locale } from '#server/lib/locales.ts';
import { log } from '#server/observability/log.ts';
import { refusalOf } from '#server/trpc/refusals.ts';
import type { ExportPlace } from './export-places.ts';

/** A reader stalled this long is cut off, because a page of the file waits in memory. */
const STALLED_MS = 120_000;

/** The next bytes of a file, and whether they are its last. */
type Piece = { bytes: Uint8Array | undefined; isLast: boolean };

/**
 * A file, given as it is taken. The first piece is made before the answer begins, so that a fault or
 * refusal has an answer of its own and makes no broken file.
 *
 * @param next makes the next piece
 * @param place makes the pieces in turn; left when no more will be made
 * @param stop ends the making when the reader goes away
 * @throws any error of the first piece
 */
async function pieceStream(
  next: () => Promise<Piece>,
  place: ExportPlace,
  stop: () => void = () => undefined,
): Promise<ReadableStream<Uint8Array>> {
  let stalled: NodeJS.Timeout | undefined;
  let isOver = false;
  const end = () => {
    isOver = true;
    clearTimeout(stalled);
    place.leave();
    stop();
  };
  const make = async () => {
    clearTimeout(stalled);
    try {
      return await place.inTurn(async () => {
        if (isOver) throw new Error('its reader has left');
        return await next();
      });
    } catch (error) {
      end();
      throw error;
    }
  };
  const first = await make();
  const give = (
    controller: ReadableStreamDefaultController<Uint8Array>,
    { bytes, isLast }: Piece,
  ) => {
    // An empty piece in a long search is enqueued too: the stream would not ask again by itself.
    if (bytes) controller.enqueue(bytes);
    if (isLast) {
      controller.close();
      end();
      return;
    }
    stalled = setTimeout(() => {
      controller.error(new Error('nobody takes the file'));
      end();
    }, STALLED_MS).unref();
  };
  return new ReadableStream({
    start: (controller) => give(controller, first),
    pull: async (controller) => give(controller, await make()),
    cancel: end,
  });
}

/**
 * A CSV file, written page by page as it is read: neither all rows nor all text are ever in memory.
 * The reading stops when the reader goes away.
 *
 * @param heads its first line
 * @param readPage the lines of the page after a cursor, `''` where it has none
 * @param place reads the pages in turn
 * @throws any error of reading the first page
 */
export function csvStream(
  heads: string,
  readPage: (cursor: string | null) => Promise<{ lines: string; nextCursor: string | null }>,
  place: ExportPlace,
): Promise<ReadableStream<Uint8Array>> {
  const encoder = new TextEncoder();
  let cursor: string | null = null;
  let before = CSV_START + heads;
  return pieceStream(async () => {
    const { lines, nextCursor } = await readPage(cursor);
    const bytes = encoder.encode(before + lines);
    cursor = nextCursor;
    before = '';
    return { bytes, isLast: cursor === null };
  }, place);
}

/**
 * A file that a writer makes of rows as they are read, page by page.
 *
 * @param write the writer: takes the rows as it needs them
 * @throws any error of reading the first page
 */
export async function rowStream<Row>(
  readPage: (cursor: string | null) => Promise<{ rows: Row[]; nextCursor: string | null }>,
  write: (rows: AsyncIterable<Row>) => ReadableStream<Uint8Array>,
  place: ExportPlace,
): Promise<ReadableStream<Uint8Array>> {
  const first = await place
    .inTurn(() => readPage(null))
    .catch((error: unknown) => {
      place.leave();
      throw error;
    });
  async function* rows() {
    yield* first.rows;
    let cursor = first.nextCursor;
    while (cursor !== null) {
      const page = await readPage(cursor);
      yield* page.rows;
      cursor = page.nextCursor;
    }
  }
  const reader = write(rows()).getReader();
  const next = async () => {
    const { value, done } = await reader.read();
    return { bytes: value, isLast: done };
  };
  return await pieceStream(next, place, () => void reader.cancel().catch(() => undefined));
}

const TYPES = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

/**
 * The answer that a browser saves as a file of that name. If there is none, it says why: with the
 * status of a refusal, or with 503 if the fault is ours.
 *
 * @param note notes the file in the audit log, once its reader may certainly have it; no file
 *   leaves unnoted
 */
export async function fileAnswer(
  file: Promise<ReadableStream<Uint8Array>>,
  note: () => Promise<void>,
  name: `${string}.${keyof typeof TYPES}`,
  locale: Locale,
): Promise<Response> {
  let body: ReadableStream<Uint8Array> | undefined;
  try {
    body = await file;
    await note();
    return new Response(body, {
      headers: {
        'Content-Type': TYPES[name.endsWith('.csv') ? 'csv' : 'xlsx'],
        'Content-Disposition': `attachment; filename="${name}"`,
        'Cache-Control': 'no-store',
      },
    });
  } catch (error) {
    await body?.cancel();
    return faultAnswer(error, locale);
  }
}

function faultAnswer(error: unknown, locale: Locale): Response {
  const t = translatorOf(locale, 'dashboard');
  const refusal = error instanceof TRPCError ? error : null;
  const status = refusal ? getHTTPStatusCodeFromError(refusal) : 503;
  const reason = refusal && refusalOf(refusal);
  const isOurs = status >= 500;
  if (isOurs) log().error({ err: error }, 'an export could not be begun');
  let told = `${t('failed.title')}. ${t('failed.text')}`;
  if (status === 401 || status === 403) told = t('noPermission.title');
  else if (reason && status === 429) {
    told = translatorOf(locale, 'failures')(reason.code, reason.values);
  }
  return new Response(told, {
    status: isOurs ? 503 : status,
    headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' },
  });
}
