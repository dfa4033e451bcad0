import { TRPCError } from '@trpc/server';
import { getHTTPStatusCodeFromError } from '@trpc/server/http';
import { translatorOf } from '#server/i18n/translator.ts';
import type { Locale } from '#server/lib/locales.ts';
import { log } from '#server/observability/log.ts';
import { refusalOf } from '#server/trpc/refusals.ts';

import { CSV_START } from './csv.ts';

import type { ExportPlace } from './export-places.ts';

/** A reader stalled this long is cut off, because a page of the file waits in memory. */
const STALLED_MS = 120_000;

/**
 * A file, written page by page as it is read: neither all rows nor all text are ever in memory. The
 * reading stops when the reader goes away. The first page is read before the answer begins, so that
 * a fault or refusal has an answer of its own and makes no broken file.
 *
 * @param heads its first line
 * @param readPage the lines of the page after a cursor, `''` where it has none
 * @param place reads the pages in turn; left when no more will be read
 * @throws any error of reading the first page
 */
export async function csvStream(
  heads: string,
  readPage: (cursor: string | null) => Promise<{ lines: string; nextCursor: string | null }>,
  place: ExportPlace,
): Promise<ReadableStream<Uint8Array>> {
  const encoder = new TextEncoder();
  let stalled: NodeJS.Timeout | undefined;
  let isOver = false;
  const end = () => {
    isOver = true;
    clearTimeout(stalled);
    place.leave();
  };
  const read = async (after: string | null) => {
    clearTimeout(stalled);
    try {
      return await place.inTurn(async () => {
        if (isOver) throw new Error('its reader has left');
        return await readPage(after);
      });
    } catch (error) {
      end();
      throw error;
    }
  };
  const first = await read(null);
  let cursor: string | null = null;
  const give = (
    controller: ReadableStreamDefaultController<Uint8Array>,
    { lines, nextCursor }: typeof first,
  ) => {
    // An empty page in a long search is enqueued too: the stream would not ask again by itself.
    controller.enqueue(encoder.encode(lines));
    cursor = nextCursor;
    if (cursor === null) {
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
    start: (controller) => give(controller, { ...first, lines: CSV_START + heads + first.lines }),
    pull: async (controller) => give(controller, await read(cursor)),
    cancel: end,
  });
}

/**
 * The answer that a browser saves as a file of that name. If there is none, it says why: with the
 * status of a refusal, or with 503 if the fault is ours.
 *
 * @param note notes the file in the audit log, once its reader may certainly have it; no file
 *   leaves unnoted
 */
export async function csvAnswer(
  file: Promise<ReadableStream<Uint8Array>>,
  note: () => Promise<void>,
  name: string,
  locale: Locale,
): Promise<Response> {
  let body: ReadableStream<Uint8Array> | undefined;
  try {
    body = await file;
    await note();
    return new Response(body, {
      headers: {
        'Content-Type': 'text/csv; charset=utf-8',
        'Content-Disposition': `attachment; filename="${name}.csv"`,
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
