-- Expands only: the version before neither reads nor writes what is new here.
-- AlterTable
ALTER TABLE "payment_attempts" ADD COLUMN     "fee_minor" BIGINT,
ADD COLUMN     "receipt_url" TEXT,
ADD COLUMN     "start_request" TEXT,
ADD COLUMN     "transaction_id" TEXT;
