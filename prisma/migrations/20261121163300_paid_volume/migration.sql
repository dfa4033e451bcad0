-- The overview sums paid amounts by currency: with both in the index it reads no table. Written
-- when a status changes, never by a create.
CREATE INDEX "invoices_final_status_sums" ON "invoices" ("merchant_id", "environment", "status", "id" DESC)
  INCLUDE ("currency", "amount_minor") WHERE "status" <> 'PENDING';
DROP INDEX "invoices_final_status";
