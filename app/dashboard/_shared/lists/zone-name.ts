/** The cookie in which the browser tells its time zone. */
export const ZONE_COOKIE = 'zone';
