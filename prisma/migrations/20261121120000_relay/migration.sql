-- What the relay to Inngest still has to announce. Without it every look would
-- read all pending rows.
CREATE INDEX "callbacks_unrelayed" ON "callbacks" ("next_attempt_at")
  WHERE "state" = 'pending' AND "relayed_at" IS NULL;
