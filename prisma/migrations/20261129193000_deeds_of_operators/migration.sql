-- For the operators' own log. Entries of others do not stand in these indexes. Entries wait while they are made,
-- a second for each million entries.
CREATE INDEX "audit_log_of_operators" ON "audit_log" ("at" DESC, "id" DESC) WHERE "actor_type" = 'operator';
CREATE INDEX "audit_log_of_operators_by_label" ON "audit_log" ("actor_label", "at" DESC, "id" DESC)
    WHERE "actor_type" = 'operator';
CREATE INDEX "audit_log_of_operators_by_action" ON "audit_log" ("action", "at" DESC, "id" DESC)
    WHERE "actor_type" = 'operator';
CREATE INDEX "audit_log_of_operators_by_merchant" ON "audit_log" ("merchant_id", "at" DESC, "id" DESC)
    WHERE "actor_type" = 'operator';
