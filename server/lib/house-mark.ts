/** The outline of a portal of the Registan, and of the one that is seen through it. */
const PORTALS =
  'M7 30V16C7 9.4 11.05 8.96 16 5C20.95 8.96 25 9.4 25 16V30z' +
  'M11.5 30V20C11.5 16.7 13.53 16.48 16 14.5C18.48 16.48 20.5 16.7 20.5 20V30z';

/**
 * The gateway's mark: a portal within a portal, in one colour. The path is filled by the even-odd
 * rule in a square of `side` units.
 */
export const HOUSE_MARK = { side: 32, path: `M2 2h28v28H2z${PORTALS}` };
