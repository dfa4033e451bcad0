import type { IncomingMessage } from 'node:http';

// What of a request's head Next gets at most: it goes over some of it far more often than once.

/**
 * Of addresses that Next gets, which takes them apart several times: 60 KB of what is no UTF-8 keep the
 * process from all else for a quarter of a second. As long as proxies let them be.
 */
const MOST_ADDRESS_CHARACTERS = 8 * 1024;

/** Of parameters in an address that Next gets: 1,500, 8 KB, take a tenth of a second. */
const MOST_PARAMETERS = 200;

/** Of names in a head that Next gets, which copies it several times: 7,500, 44 KB, take a tenth of a second. */
const MOST_HEADERS = 200;

/** Why Next does not get a request, or null. */
export function whyTooLarge({
  url = '',
  headers,
}: IncomingMessage): { status: number; text: string } | null {
  if (url.length > MOST_ADDRESS_CHARACTERS) return { status: 414, text: 'The address is too long' };
  if (url.split('&', MOST_PARAMETERS + 1).length > MOST_PARAMETERS)
    return { status: 414, text: 'The address has too many parameters' };
  const isOver = Object.keys(headers).length > MOST_HEADERS;
  return isOver ? { status: 431, text: 'There are too many headers' } : null;
}

/**
 * More than a browser keeps of one host. Next's route handlers look at each cookie as often as there are
 * others: 5,000 short ones, 44 KB, keep the process from all else for eight seconds.
 */
export const MOST_COOKIES = 200;

/** Whether a `Cookie` header has no more in it than a browser sends. */
export function hasFewCookies(header = ''): boolean {
  return header.split(';', MOST_COOKIES + 1).length <= MOST_COOKIES;
}
