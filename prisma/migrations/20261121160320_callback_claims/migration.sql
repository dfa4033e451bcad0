-- AlterTable
ALTER TABLE "callbacks" DROP COLUMN "claim_id",
DROP COLUMN "claimed_until";

-- CreateTable
CREATE TABLE "callback_claims" (
    "invoice_id" TEXT NOT NULL,
    "merchant_id" TEXT NOT NULL,
    "claim_id" TEXT NOT NULL,
    "claimed_until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "callback_claims_pkey" PRIMARY KEY ("invoice_id")
);

-- CreateIndex
CREATE INDEX "callback_claims_merchant_id_claimed_until_idx" ON "callback_claims"("merchant_id", "claimed_until");

-- Claims come and go by the thousand: no log for what a crash may forget, and their dead
-- rows are cleared away before they add up.
ALTER TABLE "callback_claims" SET UNLOGGED;
ALTER TABLE "callback_claims" SET (autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_scale_factor = 0);
