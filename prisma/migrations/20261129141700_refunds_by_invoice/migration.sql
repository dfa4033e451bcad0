-- CreateIndex
CREATE INDEX "refunds_merchant_id_environment_invoice_id_idx" ON "refunds"("merchant_id", "environment", "invoice_id");
