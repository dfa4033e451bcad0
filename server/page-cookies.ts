/**
 * More than a browser keeps of one host. Next's route handlers look at each cookie as often as there are
 * others: 5,000 short ones, 44 KB, keep the process from all else for eight seconds.
 */
export const MOST_COOKIES = 200;

/** Whether a `Cookie` header has no more in it than a browser sends. */
export function hasFewCookies(header = ''): boolean {
  return header.split(';', MOST_COOKIES + 1).length <= MOST_COOKIES;
}
