import { surfaceLocale } from '#app/_i18n/request-locale.ts';
import { isFromOwnPage } from '#server/auth/own-page.ts';
import { translatorOf } from '#server/i18n/translator.ts';

/**
 * The answer to who asks for a file otherwise than by GET; by a link of another site, whose reader did
 * not mean to, for the log tells of each file under their name; or on the page of another merchant
 * than the session's, which another tab has changed meanwhile. Null where nothing is wrong. The page
 * tells in `merchant`.
 */
export async function refusedExport(
  request: Request,
  merchant: { id: string } | null,
): Promise<Response | null> {
  const locale = await surfaceLocale('dashboard');
  const t = translatorOf(locale, 'dashboard');
  // Next asks for the file for a HEAD as well, of which the log would tell as of one that left.
  if (request.method !== 'GET')
    return new Response(null, { status: 405, headers: { Allow: 'GET' } });
  if (!isFromOwnPage(request)) return refuse(403, t('foreignExport'));
  const shown = new URL(request.url).searchParams.get('merchant');
  return shown === null || shown === merchant?.id ? null : refuse(412, t('otherMerchant'));
}

function refuse(status: number, text: string): Response {
  const headers = { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' };
  return new Response(text, { status, headers });
}
