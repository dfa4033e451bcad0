/** The cookie in which the browser reports its time zone. */
export const ZONE_COOKIE = 'zone';
