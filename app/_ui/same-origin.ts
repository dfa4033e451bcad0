type Header = (name: string) => string | null;

/**
 * Whether a form post comes from our own page. Browsers send `Origin` with every
 * POST, scripts off included; where it is missing or `null` (a privacy setting),
 * only `Sec-Fetch-Site: same-origin` will do, which no page can forge.
 *
 * @param publicUrl the address that browsers know; a proxy may change `Host`
 */
export function isSameOrigin(header: Header, publicUrl: string): boolean {
  const site = header('sec-fetch-site');
  if (site !== null && site !== 'same-origin') return false;
  const origin = header('origin');
  if (origin === null || origin === 'null') return site === 'same-origin';
  if (!URL.canParse(origin)) return false;
  const host = header('host');
  return origin === new URL(publicUrl).origin || new URL(origin).host === host;
}
