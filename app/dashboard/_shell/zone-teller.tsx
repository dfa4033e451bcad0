'use client';

import { useRouter } from 'next/navigation';
import { useEffect } from 'react';
import { ZONE_COOKIE } from '../_shared/lists/zone-name.ts';

const YEAR_MS = 365 * 24 * 60 * 60 * 1000;

/** Tells the server the viewer's zone for its times: no text changes after loading. */
export function ZoneTeller({ shown }: { shown: string }) {
  const router = useRouter();
  useEffect(() => {
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    if (timeZone === shown || !('cookieStore' in globalThis)) return;
    const value = encodeURIComponent(timeZone);
    const tell = async () => {
      // The server refused this zone before, because it does not know it.
      if ((await cookieStore.get(ZONE_COOKIE))?.value === value) return;
      const expires = Date.now() + YEAR_MS;
      await cookieStore.set({ name: ZONE_COOKIE, value, path: '/', expires, sameSite: 'lax' });
      router.refresh();
    };
    // Times are in the merchant's zone without the cookie, and say so.
    tell().catch(() => undefined);
  }, [router, shown]);
  return null;
}
