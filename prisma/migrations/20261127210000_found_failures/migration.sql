-- The failures among an invoice's requests, which may have been polled millions of times. While these
-- are made the log of requests waits: half a second for a million of them.
CREATE INDEX "api_requests_failed_request" ON "api_requests" ("merchant_id", "request_id", "id")
  WHERE "status" >= 400;
CREATE INDEX "api_requests_failed_invoice" ON "api_requests" ("merchant_id", "invoice_id", "id")
  WHERE "status" >= 400;
CREATE INDEX "api_requests_failed_transaction" ON "api_requests"
  ("merchant_id", "merchant_transaction_id", "id") WHERE "status" >= 400;
