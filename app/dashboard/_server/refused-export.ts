import { surfaceLocale } from '#app/_i18n/request-locale.ts';
import { isFromOwnPage } from '#server/auth/own-page.ts';
import { translatorOf } from '#server/i18n/translator.ts';

/**
 * The answer to a wrongful request for a file, or null. Only GET may ask, and never from a link on
 * another site, because the log notes each file under the reader's name. The page names its
 * merchant in `merchant`: another tab may have changed the session's.
 */
export async function refusedExport(
  request: Request,
  merchant: { id: string } | null,
): Promise<Response | null> {
  const locale = await surfaceLocale('dashboard');
  const t = translatorOf(locale, 'dashboard');
  // Next would make the file for a HEAD too, and the log would note a download.
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
