-- Ids rise. Where an index has them in that order, PostgreSQL fills its pages: a create writes less, and lists
-- read it backwards, the newest first as before. Creates and changes of a status wait while it is made, as for
-- the one before.
CREATE INDEX "invoices_by_rising_id" ON "invoices" ("merchant_id", "environment", "id");

-- DropIndex
DROP INDEX "invoices_merchant_id_environment_id_idx";

-- RenameIndex
ALTER INDEX "invoices_by_rising_id" RENAME TO "invoices_merchant_id_environment_id_idx";
