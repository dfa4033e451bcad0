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
