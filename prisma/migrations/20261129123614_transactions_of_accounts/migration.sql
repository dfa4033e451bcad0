-- A payment by the id that the acquirer names it by. No row has one yet, so that only the reading of
-- the table takes time; payments wait for it.
CREATE INDEX "payment_attempts_transaction_of_account"
    ON "payment_attempts" ("account_id", "transaction_id") WHERE "transaction_id" IS NOT NULL;
