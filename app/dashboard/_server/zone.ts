import { cookies } from 'next/headers';
import { cache } from 'react';
import { ZONE_COOKIE } from '../_parts/zone-name.ts';

/** Whether the runtime knows a zone of that name. */
export function isZone(timeZone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone });
    return true;
  } catch {
    return false;
  }
}

/** The viewer's time zone, as their browser told; the merchant's until it has. */
export const viewerZone = cache(async (merchantZone: string): Promise<string> => {
  const told = (await cookies()).get(ZONE_COOKIE)?.value ?? '';
  if (told !== '' && isZone(told)) return told;
  return isZone(merchantZone) ? merchantZone : 'UTC';
});
