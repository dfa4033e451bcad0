import { surfaceLocale } from '#app/_i18n/request-locale.ts';
import { isZone } from '#server/lib/formats.ts';
import { ROWS_OF_FILE_PAGE } from '#server/trpc/inputs.ts';
import { businessSession } from '../../../_server/api.ts';
import { noExportPlace, takeExportPlace } from '../../../_server/export-places.ts';
import { fileAnswer } from '../../../_server/file-stream.ts';
import { invoiceCsv } from '../../../_server/invoice-csv.ts';
import { refusedExport } from '../../../_server/refused-export.ts';
import { viewerZone } from '../../../_server/zone.ts';
import type { SearchParams } from '../../../_shared/lists/query-text.ts';
import { readInvoiceQuery, toList } from '../_parts/invoice-query.ts';

type Context = { params: Promise<{ environment: string }> };

/**
 * The filtered list as a file, with all its pages. Each page checks that the reader may still read
 * it. Days begin as on the screen.
 */
export async function GET(request: Request, { params }: Context): Promise<Response> {
  const { session, environment, laterApi } = await businessSession((await params).environment);
  if (!session.merchant) return new Response(null, { status: 403 });
  const refused = await refusedExport(request, session.merchant);
  if (refused) return refused;
  const search: SearchParams = Object.fromEntries(new URL(request.url).searchParams);
  const wanted = typeof search.zone === 'string' ? search.zone : '';
  const own = await viewerZone(session.merchant.timeZone);
  const query = readInvoiceQuery(search);
  // As on the screen: days of payment are the register's.
  const days = query.by === 'paid' ? session.merchant.timeZone : own;
  const { filters, isOldestFirst } = toList(query, days);
  const readPage = async (cursor: string | null) =>
    (await laterApi()).invoices.list({ filters, cursor, limit: ROWS_OF_FILE_PAGE, isOldestFirst });
  const note = async () => (await laterApi()).invoices.noteExport({ filters });
  const timeZone = isZone(wanted) ? wanted : own;
  const separator = search.separator === 'semicolon' ? ';' : ',';
  const place = await takeExportPlace(session.user.id, session.merchant.id);
  if (!place) return await noExportPlace();
  const csv = invoiceCsv(readPage, { timeZone, separator }, place);
  const day = new Date().toISOString().slice(0, 10);
  return await fileAnswer(
    csv,
    note,
    `invoices-${environment}-${day}.csv`,
    await surfaceLocale('dashboard'),
  );
}
