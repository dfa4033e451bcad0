-- CreateTable
CREATE TABLE "buyer_tries" (
    "attempt_id" TEXT NOT NULL,
    "address_key" TEXT NOT NULL,
    "merchant_id" TEXT NOT NULL,
    "environment" "environment" NOT NULL,
    "ends_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "buyer_tries_pkey" PRIMARY KEY ("attempt_id")
);

-- CreateIndex
CREATE INDEX "buyer_tries_environment_address_key_ends_at_idx" ON "buyer_tries"("environment", "address_key", "ends_at");

-- CreateIndex
CREATE INDEX "buyer_tries_environment_merchant_id_ends_at_idx" ON "buyer_tries"("environment", "merchant_id", "ends_at");

-- CreateIndex
CREATE INDEX "buyer_tries_ends_at_idx" ON "buyer_tries"("ends_at");

-- AddForeignKey
ALTER TABLE "buyer_tries" ADD CONSTRAINT "buyer_tries_attempt_id_fkey" FOREIGN KEY ("attempt_id") REFERENCES "payment_attempts"("id") ON DELETE CASCADE ON UPDATE CASCADE;
