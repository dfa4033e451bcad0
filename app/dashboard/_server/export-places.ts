import { surfaceLocale } from '#app/_i18n/request-locale.ts';
import { translatorOf } from '#server/i18n/translator.ts';
import { KeyedSemaphore } from '#server/lib/keyed-semaphore.ts';
import { processWide } from '#server/lib/process-wide.ts';

/**
 * Files stay open as long as their readers need. Each person, each merchant and the whole gateway
 * may have only some open, because up to two pages of each are in memory. The database reads one
 * page at a time, in turn, so that a slow reader delays nobody else. The two exports share all
 * places.
 */
const places = processWide('exports', () => ({
  filesOfPerson: new KeyedSemaphore({ atWork: 2, waiting: 0 }),
  filesOfMerchant: new KeyedSemaphore({ atWork: 8, waiting: 0 }),
  files: new KeyedSemaphore({ atWork: 32, waiting: 0 }),
  pagesOfMerchant: new KeyedSemaphore({ atWork: 2, waiting: Number.POSITIVE_INFINITY }),
  pages: new KeyedSemaphore({ atWork: 4, waiting: Number.POSITIVE_INFINITY }),
}));

/** The place of an open file. */
export type ExportPlace = {
  /** Reads a page of the file in its turn. */
  inTurn<Page>(readPage: () => Promise<Page>): Promise<Page>;
  /** Releases the place when the file has ended in any way; may be called twice. */
  leave(): void;
};

async function inTurnOf<Page>(merchantId: string, readPage: () => Promise<Page>): Promise<Page> {
  const leaveMerchant = await places.pagesOfMerchant.acquire(merchantId);
  const leave = await places.pages.acquire('');
  try {
    return await readPage();
  } finally {
    leave?.();
    leaveMerchant?.();
  }
}

/** A place for a person's next file of a merchant. Null when they, or all, have too many. */
export async function takeExportPlace(
  userId: string,
  merchantId: string,
): Promise<ExportPlace | null> {
  const taken: (() => void)[] = [];
  const leave = () => {
    for (const leaveOne of taken) leaveOne();
  };
  for (const [files, owner] of [
    [places.filesOfPerson, userId],
    [places.filesOfMerchant, merchantId],
    [places.files, ''],
  ] as const) {
    const leaveOne = await files.acquire(owner);
    if (!leaveOne) {
      leave();
      return null;
    }
    taken.push(leaveOne);
  }
  return { inTurn: (readPage) => inTurnOf(merchantId, readPage), leave };
}

/** The answer to a request for a file while no place is free. */
export async function noExportPlace(): Promise<Response> {
  const locale = await surfaceLocale('dashboard');
  const t = translatorOf(locale, 'dashboard');
  return new Response(t('manyExports'), {
    status: 429,
    headers: {
      'Content-Type': 'text/plain; charset=utf-8',
      'Cache-Control': 'no-store',
      'Retry-After': '5',
    },
  });
}
