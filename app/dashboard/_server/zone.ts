import { cookies } from 'next/headers';
import { cache } from 'react';
import { isZone } from '#server/lib/formats.ts';
import { ZONE_COOKIE } from '../_shared/lists/zone-name.ts';

/** The viewer's time zone, as the browser reported it; the merchant's until then. */
export const viewerZone = cache(async (merchantZone: string): Promise<string> => {
  const told = (await cookies()).get(ZONE_COOKIE)?.value ?? '';
  if (told !== '' && isZone(told)) return told;
  return isZone(merchantZone) ? merchantZone : 'UTC';
});

/** The time zones to choose from: all that the server lists, and always `zone`. */
export function zonesWith(zone: string): string[] {
  return [...new Set(['UTC', zone, ...Intl.supportedValuesOf('timeZone')])].sort();
}
