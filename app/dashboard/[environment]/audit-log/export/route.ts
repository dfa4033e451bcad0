import { surfaceLocale } from '#app/_i18n/request-locale.ts';
import { translatorOf } from '#server/i18n/translator.ts';
import { csvLine } from '#server/lib/csv.ts';
import { propertiesOf } from '#server/lib/locales.ts';
import { ROWS_OF_FILE_PAGE } from '#server/trpc/inputs.ts';
import type { AuditItem } from '#server/trpc/rows.ts';
import { dashboardSession, load } from '../../../_server/api.ts';
import { noExportPlace, takeExportPlace } from '../../../_server/export-places.ts';
import { csvStream, fileAnswer } from '../../../_server/file-stream.ts';
import { refusedExport } from '../../../_server/refused-export.ts';
import { viewerZone } from '../../../_server/zone.ts';
import { describeEntry } from '../../../_shared/audit-words.ts';
import { readAuditQuery, toAuditFilter } from '../_parts/audit-query.ts';

/** The columns are the same in every language, because programs read them. */
const COLUMNS = ['time', 'person', 'what', 'action', 'target_type', 'target', 'address', 'details'];

type Props = { params: Promise<{ environment: string }> };

/** The audit log as a file of any length. Each page checks that the reader may still read it. */
export async function GET(request: Request, { params }: Props): Promise<Response> {
  const locale = await surfaceLocale('dashboard');
  const t = translatorOf(locale, 'dashboard.noPermission');
  const { session, environment, api, laterApi } = await dashboardSession(
    (await params).environment,
  );
  const refused = await refusedExport(request, session.merchant);
  if (refused) return refused;
  const search = Object.fromEntries(new URL(request.url).searchParams);
  const zone = await viewerZone(session.merchant?.timeZone ?? 'UTC');
  const choices = await load(api.audit.choices());
  if (!choices.ok || !session.merchant) {
    return new Response(t('title'), { status: 403 });
  }
  const filter = toAuditFilter(readAuditQuery(search, choices.data), zone);
  // The separator that spreadsheets in the viewer's language read.
  const separator = propertiesOf(locale).csvSeparator;

  const line = (entry: AuditItem): string =>
    csvLine(
      [
        new Date(entry.atMs).toISOString(),
        entry.actor,
        describeEntry(entry, locale),
        entry.action,
        entry.target?.type ?? null,
        entry.target?.id ?? null,
        entry.address,
        JSON.stringify(entry.details),
      ],
      separator,
    );
  const readPage = async (cursor: string | null) => {
    const page = await (await laterApi()).audit.list({
      ...filter,
      cursor,
      limit: ROWS_OF_FILE_PAGE,
    });
    return { lines: page.entries.map(line).join(''), nextCursor: page.nextCursor };
  };
  const note = async () => (await laterApi()).audit.noteExport(filter);
  const place = await takeExportPlace(session.user.id, session.merchant.id);
  if (!place) return await noExportPlace();
  const file = csvStream(csvLine(COLUMNS, separator), readPage, place);
  return await fileAnswer(file, note, `audit-log-${environment}.csv`, locale);
}
