import { surfaceLocale } from '#app/_i18n/request-locale.ts';
import { propertiesOf } from '#server/lib/locales.ts';
import { registerCsvHeads, registerCsvLine, registerXlsx } from '#server/register/file.ts';
import { ROWS_OF_FILE_PAGE } from '#server/trpc/inputs.ts';
import { businessSession } from '../../../_server/api.ts';
import { noExportPlace, takeExportPlace } from '../../../_server/export-places.ts';
import { csvStream, fileAnswer, rowStream } from '../../../_server/file-stream.ts';
import { refusedExport } from '../../../_server/refused-export.ts';
import { readDay } from '../_parts/register-day.ts';

type Context = { params: Promise<{ environment: string }> };

/** A day's register as a file. Each page checks that the reader may still read it. */
export async function GET(request: Request, { params }: Context): Promise<Response> {
  const { session, environment, laterApi } = await businessSession((await params).environment);
  if (!session.merchant) return new Response(null, { status: 403 });
  const refused = await refusedExport(request, session.merchant);
  if (refused) return refused;
  const locale = await surfaceLocale('dashboard');
  const search = Object.fromEntries(new URL(request.url).searchParams);
  const { timeZone } = session.merchant;
  const { day } = readDay(search, Date.now(), timeZone);
  const format = search.format === 'xlsx' ? 'xlsx' : 'csv';
  const readPage = async (cursor: string | null) =>
    (await laterApi()).register.page({ day, cursor, limit: ROWS_OF_FILE_PAGE });
  const note = async () => (await laterApi()).register.noteExport({ day });
  const place = await takeExportPlace(session.user.id, session.merchant.id);
  if (!place) return await noExportPlace();
  const shape = { timeZone, separator: propertiesOf(locale).csvSeparator };
  const readLines = async (cursor: string | null) => {
    const { rows, nextCursor } = await readPage(cursor);
    return { lines: rows.map((row) => registerCsvLine(row, shape)).join(''), nextCursor };
  };
  const file =
    format === 'xlsx'
      ? rowStream(readPage, (rows) => registerXlsx(rows, { day, timeZone, locale }), place)
      : csvStream(registerCsvHeads(timeZone, shape.separator), readLines, place);
  return await fileAnswer(file, note, `register-${environment}-${day}.${format}`, locale);
}
