-- Expands only: the version before neither reads nor writes what is new here.
-- CreateTable
CREATE TABLE "disputes" (
    "account_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "attempt_id" TEXT NOT NULL,
    "invoice_id" TEXT NOT NULL,
    "amount_minor" BIGINT NOT NULL,
    "currency" "currency" NOT NULL,
    "reason" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "closed_at" TIMESTAMPTZ(3),

    CONSTRAINT "disputes_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateIndex
CREATE INDEX "disputes_invoice_id_idx" ON "disputes"("invoice_id");

-- AddForeignKey
ALTER TABLE "disputes" ADD CONSTRAINT "disputes_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "acquirer_accounts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "disputes" ADD CONSTRAINT "disputes_attempt_id_fkey" FOREIGN KEY ("attempt_id") REFERENCES "payment_attempts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
