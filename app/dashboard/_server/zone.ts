import { cookies } from 'next/headers';
import { cache } from 'react';
import { isZone } from '#server/lib/formats.ts';
import { ZONE_COOKIE } from '../_shared/lists/zone-name.ts';

/** The viewer's time zone, as their browser told; the merchant's until it has. */
export const viewerZone = cache(async (merchantZone: string): Promise<string> => {
  const told = (await cookies()).get(ZONE_COOKIE)?.value ?? '';
  if (told !== '' && isZone(told)) return told;
  return isZone(merchantZone) ? merchantZone : 'UTC';
});

/** What a time zone is chosen from: all that the server lists, and `zone` in any case. */
export function zonesWith(zone: string): string[] {
  return [...new Set(['UTC', zone, ...Intl.supportedValuesOf('timeZone')])].sort();
}
