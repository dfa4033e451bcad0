-- The payments of an account in the order of their time, for comparing books. Few rows have an account
-- yet, so that only the reading of the table takes time; payments wait for it.
CREATE INDEX "payment_attempts_of_account"
    ON "payment_attempts" ("account_id", "created_at", "id") WHERE "account_id" IS NOT NULL;

CREATE INDEX "refunds_of_account"
    ON "refunds" ("account_id", "created_at", "id") WHERE "account_id" IS NOT NULL;
