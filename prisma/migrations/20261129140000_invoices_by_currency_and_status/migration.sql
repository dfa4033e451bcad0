-- For a merchant's lists by status or currency, PENDING ones included. A create pays for it: no index that
-- leaves the pending ones out finds them in the list's order. Creates and changes of a status wait while it
-- is made, a few seconds for each million invoices; reads do not.

-- CreateIndex
CREATE INDEX "invoices_merchant_id_environment_currency_status_id_idx" ON "invoices"("merchant_id", "environment", "currency", "status", "id" DESC);
