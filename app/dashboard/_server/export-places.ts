import { processWide } from '#server/lib/process-wide.ts';
import { dashboardMessages } from '../_i18n/messages.ts';

/** Of a process: a file is read as fast as its reader takes it, and others need the database too. */
const MOST = 4;
const MOST_OF_MERCHANT = 2;

/** Whose files are being read; the two exports share them. */
const reading = processWide('exports', () => new Set<{ merchantId: string }>());

/** A place for one more file: call it when the file has ended, however. Null when there is none. */
export function takeExportPlace(merchantId: string): (() => void) | null {
  const own = [...reading].filter((each) => each.merchantId === merchantId);
  if (reading.size >= MOST || own.length >= MOST_OF_MERCHANT) return null;
  const place = { merchantId };
  reading.add(place);
  return () => void reading.delete(place);
}

/** The answer to who asks for a file while there is no place for it. */
export async function noExportPlace(): Promise<Response> {
  const { t } = await dashboardMessages();
  return new Response(t.manyExports, {
    status: 429,
    headers: {
      'Content-Type': 'text/plain; charset=utf-8',
      'Cache-Control': 'no-store',
      'Retry-After': '5',
    },
  });
}
