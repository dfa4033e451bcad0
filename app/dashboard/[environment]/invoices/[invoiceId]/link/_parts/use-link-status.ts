'use client';

import { useRouter } from 'next/navigation';
import { useEffect, useState } from 'react';
import { refreshOrStay } from '#app/_ui/refresh-or-stay.ts';
import type { InvoiceStatus } from '#server/invoices/types.ts';
import { nextDelayMs } from '../../../../../../pay/[invoiceId]/live/poll-schedule.ts';

/** The invoice's present status; null without an answer. */
async function askStatus(invoiceId: string): Promise<InvoiceStatus | null> {
  try {
    const answer = await fetch(`/pay/${invoiceId}/state`, {
      cache: 'no-store',
      signal: AbortSignal.timeout(10_000),
    });
    const { status }: { status?: InvoiceStatus } = answer.ok ? await answer.json() : {};
    return status ?? null;
  } catch {
    // There is no connection, or the server restarts: the next look will tell.
    return null;
  }
}

/**
 * The status of a link while it is shown, without a reload. It is the buyer's page that is asked:
 * watching a link keeps no session from ending.
 */
export function useLinkStatus(invoiceId: string, shown: InvoiceStatus): InvoiceStatus {
  const router = useRouter();
  const [seen, setSeen] = useState<InvoiceStatus | null>(null);
  const isWatched = shown === 'PENDING' && seen === null;
  useEffect(() => {
    if (!isWatched) return;
    let [timer, looks, isOver]: [ReturnType<typeof setTimeout> | undefined, number, boolean] = [
      undefined,
      0,
      false,
    ];
    const look = async () => {
      clearTimeout(timer);
      const found = await askStatus(invoiceId);
      if (isOver) return;
      looks++;
      if (found === null || found === 'PENDING') {
        timer = setTimeout(look, nextDelayMs(looks, true));
        return;
      }
      setSeen(found);
      void refreshOrStay(() => router.refresh());
    };
    const again = () => {
      if (document.visibilityState === 'visible') void look();
    };
    void look();
    document.addEventListener('visibilitychange', again);
    window.addEventListener('online', again);
    return () => {
      isOver = true;
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', again);
      window.removeEventListener('online', again);
    };
  }, [invoiceId, isWatched, router]);
  return seen ?? shown;
}
