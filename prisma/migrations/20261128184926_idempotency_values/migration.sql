-- AlterTable
ALTER TABLE "idempotency_keys" ADD COLUMN     "values_hash" BYTEA;
