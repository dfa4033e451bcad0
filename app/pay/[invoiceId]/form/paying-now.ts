/**
 * Set while this page's own payment is under way: the watcher then leaves the
 * page alone, because the answer to the payment brings the new state with it.
 */
export const payingNow = { current: false };
