-- Entries of these two indexes live for milliseconds, and an index scan clears away a dead one
-- only by itself: entries of equal keys that are folded into one (many callbacks that fall due
-- at the same time, many claims of one batch) would be read again by every claim until the last
-- of them is dead.
ALTER INDEX "callbacks_due" SET (deduplicate_items = off);
ALTER INDEX "callback_claims_merchant_id_claimed_until_idx" SET (deduplicate_items = off);
