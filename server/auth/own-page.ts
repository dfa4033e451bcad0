import { settings } from '../settings/settings.ts';

/** The parts of a request that show its origin. */
type Sent = { method: string; headers: { get(name: string): string | null } };

/** Whether an address or an origin is the gateway's own: scheme, host and port of `PUBLIC_URL`. */
function isOwn(address: string | null): boolean {
  const isUrl = address !== null && URL.canParse(address);
  return isUrl && new URL(address).origin === settings().publicUrl;
}

/**
 * Whether a request that acts in a person's name comes from a page of the gateway: the single rule
 * for forms, sign-ins, the dashboard's calls and downloads. Only `PUBLIC_URL` defines those pages,
 * never `Host` or a proxy's header.
 *
 * A post is judged by its `Origin`, which every browser has sent since 2020, even with scripts off.
 * If a privacy setting hides it (`null`), `Sec-Fetch-Site: same-origin` is enough, which no page
 * can forge. A GET may also be typed. Browsers omit `Sec-Fetch-Site` over plain http, except to
 * localhost: there a GET needs our own `Referer`.
 */
export function isFromOwnPage({ method, headers }: Sent): boolean {
  const site = headers.get('sec-fetch-site');
  if (method === 'GET' || method === 'HEAD') {
    return site === null ? isOwn(headers.get('referer')) : ['same-origin', 'none'].includes(site);
  }
  const origin = headers.get('origin') ?? 'null';
  return origin === 'null' ? site === 'same-origin' : isOwn(origin);
}
