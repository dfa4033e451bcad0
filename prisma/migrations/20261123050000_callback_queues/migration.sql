-- The queues that a claim takes from by turns: production's first attempts, its retries, what
-- is sent again, and the sandbox's. Not folded, as in callbacks_due, which the version before claims by and figures of a
-- merchant are read from.
CREATE INDEX "callbacks_queued" ON "callbacks" (
  "merchant_id",
  (CASE WHEN "environment" = 'sandbox' THEN 4 WHEN "next_trigger" = 'resend' THEN 3
        WHEN "attempt_count" = 0 THEN 1 ELSE 2 END),
  "next_attempt_at"
) WITH (deduplicate_items = off) WHERE "state" = 'pending';
