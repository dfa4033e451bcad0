-- For the operator's verdict. Each holds only what has failed, so that nothing that goes well pays for it. Writes
-- of these tables wait while they are made, a second for each million rows; reads do not.
CREATE INDEX "callbacks_exhausted" ON "callbacks" ("merchant_id", "environment", "created_at")
    WHERE "state" = 'exhausted';
CREATE INDEX "refunds_failed_by_time" ON "refunds" ("updated_at") WHERE "status" = 'FAILED';
CREATE INDEX "receipt_emails_failed" ON "receipt_emails" ("ended_at") WHERE "state" = 'failed';
CREATE INDEX "notices_failed" ON "notices" ("ended_at") WHERE "state" = 'failed';
