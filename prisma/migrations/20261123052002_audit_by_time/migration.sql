-- CreateIndex
CREATE INDEX "audit_log_merchant_id_environment_at_id_idx" ON "audit_log"("merchant_id", "environment", "at" DESC, "id" DESC);
