import { CSV_START, csvLine } from '#server/lib/csv.ts';
import type { AuditItem } from '#server/trpc/rows.ts';
import { auditMessages, describeEntry } from '../../../_i18n/audit-words.ts';
import { dashboardMessages } from '../../../_i18n/messages.ts';
import { readAuditQuery, toAuditFilter } from '../../../_parts/audit-query.ts';
import { dashboardSession, load } from '../../../_server/api.ts';
import { refusedExport } from '../../../_server/refused-export.ts';
import { viewerZone } from '../../../_server/zone.ts';

const PAGE = 1_000;

type Props = { params: Promise<{ environment: string }> };

/**
 * The audit log as a file, page by page as it is read: as long as the log is, never in memory whole,
 * and while its reader may read it: each page looks.
 */
export async function GET(request: Request, { params }: Props): Promise<Response> {
  const { session, environment, api, laterApi } = await dashboardSession(
    (await params).environment,
  );
  const refused = await refusedExport(request, session.merchant);
  if (refused) return refused;
  const [t, { t: common, locale }] = await Promise.all([auditMessages(), dashboardMessages()]);
  const search = Object.fromEntries(new URL(request.url).searchParams);
  const zone = await viewerZone(session.merchant?.timeZone ?? 'UTC');
  const choices = await load(api.audit.choices());
  if (!choices.ok) return new Response(common.noPermission.title, { status: 403 });
  const filter = { ...toAuditFilter(readAuditQuery(search, choices.data), zone), limit: PAGE };
  // What spreadsheets of the viewer's language read.
  const separator = locale === 'ru' ? ';' : ',';

  const line = (entry: AuditItem): string =>
    csvLine(
      [
        new Date(entry.atMs).toISOString(),
        entry.actor,
        describeEntry(entry, t, common.roles),
        entry.action,
        entry.target?.type ?? null,
        entry.target?.id ?? null,
        entry.address,
        JSON.stringify(entry.details),
      ],
      separator,
    );
  const encoder = new TextEncoder();
  let page: Awaited<ReturnType<typeof api.audit.list>> | null = await api.audit.list(filter);
  const body = new ReadableStream<Uint8Array>({
    start: (controller) =>
      controller.enqueue(encoder.encode(CSV_START + csvLine(t.columns, separator))),
    pull: async (controller) => {
      if (page === null) return controller.close();
      const { entries, nextCursor } = page;
      if (entries.length > 0) controller.enqueue(encoder.encode(entries.map(line).join('')));
      page =
        nextCursor === null
          ? null
          : await (await laterApi()).audit.list({ ...filter, cursor: nextCursor });
      if (page === null) controller.close();
    },
  });
  return new Response(body, {
    headers: {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="audit-log-${environment}.csv"`,
      'Cache-Control': 'no-store',
    },
  });
}
