-- CreateTable
CREATE TABLE "acknowledgements" (
    "merchant_id" TEXT NOT NULL,
    "environment" "environment" NOT NULL,
    "cause" TEXT NOT NULL,
    "seen_count" INTEGER NOT NULL,
    "seen_newest" TIMESTAMPTZ(3),
    "user_id" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "acknowledgements_pkey" PRIMARY KEY ("merchant_id","environment","cause")
);

-- AddForeignKey
ALTER TABLE "acknowledgements" ADD CONSTRAINT "acknowledgements_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- The few refunds that failed, for those whom they concern.
CREATE INDEX "refunds_failed" ON "refunds" ("merchant_id", "environment", "updated_at" DESC)
    WHERE "status" = 'FAILED';
