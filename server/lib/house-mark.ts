/** The outline of a portal of the Registan, and of the one that is seen through it. */
const PORTALS =
  'M7 30V16C7 9.4 11.05 8.96 16 5C20.95 8.96 25 9.4 25 16V30z' +
  'M11.5 30V20C11.5 16.7 13.53 16.48 16 14.5C18.48 16.48 20.5 16.7 20.5 20V30z';

/**
 * The gateway's mark: a portal within a portal, in one colour. The path is filled by the even-odd
 * rule in a square of `side` units.
 */
export const HOUSE_MARK = { side: 32, path: `M2 2h28v28H2z${PORTALS}` };

/** A tile of the frieze, an eight-pointed star between halves of crosses, of so many units. */
export const TILE = {
  width: 24,
  height: 16,
  path:
    'M12 1.5l1.9 1.9h2.7v2.7l1.9 1.9-1.9 1.9v2.7h-2.7l-1.9 1.9-1.9-1.9H7.4V9.9L5.5 8l1.9-1.9V3.4h2.7z' +
    'M0 5l3 3-3 3zM24 5v6l-3-3z',
};

/** The colours of the frieze and the mark where no style sheet reaches. */
export const HOUSE_COLOURS = { lapis: '#14296b', tile: '#2bb6c4' };
