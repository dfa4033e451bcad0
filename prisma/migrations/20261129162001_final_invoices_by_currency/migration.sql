-- For the same lists of all others. Written when a status changes, never by a create; together with the one
-- before it costs a create less than the index of all statuses whose place it takes. Creates and changes of a
-- status wait while it is made, a few seconds for each million invoices.
CREATE INDEX "invoices_final_by_currency" ON "invoices" ("merchant_id", "environment", "currency", "status", "id")
    WHERE "status" <> 'PENDING';

-- DropIndex
DROP INDEX "invoices_merchant_id_environment_currency_status_id_idx";
