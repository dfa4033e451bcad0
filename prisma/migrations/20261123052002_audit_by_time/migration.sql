-- CreateIndex
CREATE INDEX "audit_log_merchant_id_environment_at_id_idx" ON "audit_log"("merchant_id", "environment", "at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "audit_log_merchant_id_actor_id_environment_at_id_idx" ON "audit_log"("merchant_id", "actor_id", "environment", "at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "audit_log_merchant_id_action_environment_at_id_idx" ON "audit_log"("merchant_id", "action", "environment", "at" DESC, "id" DESC);
