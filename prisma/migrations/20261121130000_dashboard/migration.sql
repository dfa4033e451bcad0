-- CreateTable
CREATE TABLE "sessions" (
    "id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "merchant_id" TEXT,
    "address" TEXT,
    "user_agent" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "last_seen_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sessions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "throttles" (
    "key" TEXT NOT NULL,
    "count" INTEGER NOT NULL,
    "ends_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "throttles_pkey" PRIMARY KEY ("key")
);

-- CreateIndex
CREATE INDEX "sessions_user_id_idx" ON "sessions"("user_id");

-- CreateIndex
CREATE INDEX "sessions_expires_at_idx" ON "sessions"("expires_at");

-- CreateIndex
CREATE INDEX "throttles_ends_at_idx" ON "throttles"("ends_at");

-- CreateIndex
CREATE INDEX "payment_attempts_card_last4_invoice_id_idx" ON "payment_attempts"("card_last4", "invoice_id" DESC);

-- CreateIndex
CREATE INDEX "payment_attempts_authorisation_id_idx" ON "payment_attempts"("authorisation_id");

-- AddForeignKey
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- CreateIndex
CREATE INDEX "audit_log_target_id_id_idx" ON "audit_log"("target_id", "id");

-- From here on by hand.

-- Staff look for final invoices by status and by amount. Pending ones are few or new and are found
-- by "invoices_due" or by the list itself, so that a create writes neither of these.
CREATE INDEX "invoices_final_status" ON "invoices" ("merchant_id", "environment", "status", "id" DESC)
  WHERE "status" <> 'PENDING';
CREATE INDEX "invoices_final_amount" ON "invoices" ("merchant_id", "environment", "amount_minor", "id" DESC)
  WHERE "status" <> 'PENDING';
