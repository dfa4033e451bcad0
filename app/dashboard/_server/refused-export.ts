import { dashboardMessages } from '../_i18n/messages.ts';

/**
 * The answer to who asks for a file otherwise than by GET, or on the page of another merchant than
 * the session's, which another tab has changed meanwhile; null where nothing is wrong. The page
 * tells in `merchant`.
 */
export async function refusedExport(
  request: Request,
  merchant: { id: string } | null,
): Promise<Response | null> {
  // Next asks for the file for a HEAD as well, of which the log would tell as of one that left.
  if (request.method !== 'GET')
    return new Response(null, { status: 405, headers: { Allow: 'GET' } });
  const shown = new URL(request.url).searchParams.get('merchant');
  if (shown === null || shown === merchant?.id) return null;
  const { t } = await dashboardMessages();
  return new Response(t.otherMerchant, {
    status: 412,
    headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' },
  });
}
