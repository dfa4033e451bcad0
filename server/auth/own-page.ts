import { settings } from '../settings/settings.ts';

/** The part of a request that tells where it comes from. */
type Sent = { method: string; headers: { get(name: string): string | null } };

/** Whether an address, or the origin of one, is the gateway's own: scheme, host and port of `PUBLIC_URL`. */
function isOwn(address: string | null): boolean {
  const isUrl = address !== null && URL.canParse(address);
  return isUrl && new URL(address).origin === settings().publicUrl;
}

/**
 * Whether a request that acts in a person's name comes from a page of the gateway: the one rule for
 * forms, sign-ins, the dashboard's calls and downloads. `PUBLIC_URL` alone says which pages those are;
 * no `Host` and no header of a proxy does.
 *
 * A post is judged by its `Origin`, which every browser sends since 2020, scripts off included. Where
 * a privacy setting hides it (`null`), `Sec-Fetch-Site: same-origin` will do, which no page can forge. A
 * GET may also be typed. Browsers leave `Sec-Fetch-Site` out over plain http, except to localhost: there
 * a GET needs a `Referer` of ours.
 */
export function isFromOwnPage({ method, headers }: Sent): boolean {
  const site = headers.get('sec-fetch-site');
  if (method === 'GET' || method === 'HEAD') {
    return site === null ? isOwn(headers.get('referer')) : ['same-origin', 'none'].includes(site);
  }
  const origin = headers.get('origin') ?? 'null';
  return origin === 'null' ? site === 'same-origin' : isOwn(origin);
}
