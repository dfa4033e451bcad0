-- While these are made (five seconds for a million requests of the last seven days) the log of
-- requests waits, and beyond what it holds in memory it gives way.
-- DropIndex
DROP INDEX "api_requests_merchant_id_request_id_idx";

-- DropIndex
DROP INDEX "api_requests_merchant_id_invoice_id_idx";

-- DropIndex
DROP INDEX "api_requests_merchant_id_merchant_transaction_id_idx";

-- CreateIndex
CREATE INDEX "api_requests_merchant_id_request_id_id_idx" ON "api_requests"("merchant_id", "request_id", "id");

-- CreateIndex
CREATE INDEX "api_requests_merchant_id_invoice_id_id_idx" ON "api_requests"("merchant_id", "invoice_id", "id");

-- CreateIndex
CREATE INDEX "api_requests_merchant_id_merchant_transaction_id_id_idx" ON "api_requests"("merchant_id", "merchant_transaction_id", "id");
