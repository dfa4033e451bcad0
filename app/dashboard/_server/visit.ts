import { cookies, headers } from 'next/headers';
import type { Visit } from '#server/auth/signed-out.ts';
import { vouchedPeer } from '#server/http/peer-address.ts';
import { requestIdOf } from '#server/rest/request-id.ts';

/** The request that is being answered, for actions of people who are not signed in. */
export async function currentVisit(): Promise<Visit> {
  const [jar, list] = await Promise.all([cookies(), headers()]);
  return {
    cookies: Object.fromEntries(jar.getAll().map(({ name, value }) => [name, value])),
    address: vouchedPeer(list),
    requestId: requestIdOf(list.get('x-request-id')),
  };
}

/** The requested address, without the origin. */
export async function askedPath(): Promise<string> {
  return (await headers()).get('x-path') ?? '';
}

/** The same as a query for the sign-in page, which leads back there. */
export async function nextQuery(): Promise<string> {
  return `next=${encodeURIComponent(await askedPath())}`;
}

/** A form's field as text, cut at a length that nobody reaches by accident. */
export function field(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value.slice(0, 2_000) : '';
}
