'use client';

import { useRouter } from 'next/navigation';
import { useEffect } from 'react';
import { ZONE_COOKIE } from '../_shared/lists/zone-name.ts';

const YEAR_MS = 365 * 24 * 60 * 60 * 1000;

/** Tells the server the viewer's zone, so that it writes times in it: no text changes after loading. */
export function ZoneTeller({ shown }: { shown: string }) {
  const router = useRouter();
  useEffect(() => {
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    if (timeZone === shown || !('cookieStore' in globalThis)) return;
    const value = encodeURIComponent(timeZone);
    const tell = async () => {
      // What was told before was refused: the server knows no such zone.
      if ((await cookieStore.get(ZONE_COOKIE))?.value === value) return;
      const expires = Date.now() + YEAR_MS;
      await cookieStore.set({ name: ZONE_COOKIE, value, path: '/', expires, sameSite: 'lax' });
      router.refresh();
    };
    // Without the cookie times are shown in the merchant's zone, and named so.
    tell().catch(() => undefined);
  }, [router, shown]);
  return null;
}
