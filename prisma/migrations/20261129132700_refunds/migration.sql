-- Expands only: the version before neither reads nor writes what is new here. Its tokens get the
-- scopes that a new one has.

-- CreateEnum
CREATE TYPE "refund_status" AS ENUM ('PENDING', 'SUCCEEDED', 'FAILED');

-- AlterEnum
ALTER TYPE "role" ADD VALUE 'finance' BEFORE 'support';

-- AlterEnum
ALTER TYPE "ledger_entry_kind" ADD VALUE 'refund';

-- AlterTable
ALTER TABLE "api_tokens" ADD COLUMN     "scopes" TEXT[] DEFAULT ARRAY['invoices.write', 'invoices.read', 'callbacks.write', 'sandbox']::TEXT[];

-- AlterTable
ALTER TABLE "invoices" ADD COLUMN     "refunded_minor" BIGINT NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "sandbox_ledger_entries" ADD COLUMN     "refund_id" TEXT,
ALTER COLUMN "authorisation_id" DROP NOT NULL;

-- CreateTable
CREATE TABLE "refunds" (
    "id" TEXT NOT NULL,
    "merchant_id" TEXT NOT NULL,
    "environment" "environment" NOT NULL,
    "invoice_id" TEXT NOT NULL,
    "attempt_id" TEXT NOT NULL,
    "account_id" TEXT,
    "refund_transaction_id" TEXT,
    "amount_minor" BIGINT NOT NULL,
    "currency" "currency" NOT NULL,
    "status" "refund_status" NOT NULL,
    "reason" TEXT,
    "failure_reason" TEXT,
    "reference" TEXT,
    "actor_type" "actor_type",
    "actor_id" TEXT,
    "request_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "recover_at" TIMESTAMPTZ(3),

    CONSTRAINT "refunds_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "refunds_amount_positive" CHECK ("amount_minor" > 0)
);

-- CreateTable
CREATE TABLE "sandbox_refunds" (
    "id" TEXT NOT NULL,
    "authorisation_id" TEXT NOT NULL,
    "amount_minor" BIGINT NOT NULL,
    "failure_reason" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "settles_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sandbox_refunds_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "refunds_invoice_id_created_at_idx" ON "refunds"("invoice_id", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "refunds_merchant_id_environment_refund_transaction_id_key" ON "refunds"("merchant_id", "environment", "refund_transaction_id");

-- CreateIndex
CREATE UNIQUE INDEX "refunds_account_id_reference_key" ON "refunds"("account_id", "reference");

-- CreateIndex
CREATE UNIQUE INDEX "refunds_attempt_id_created_at_key" ON "refunds"("attempt_id", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "sandbox_ledger_entries_refund_id_key" ON "sandbox_ledger_entries"("refund_id");

-- AddForeignKey
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_invoice_id_fkey" FOREIGN KEY ("invoice_id") REFERENCES "invoices"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_attempt_id_fkey" FOREIGN KEY ("attempt_id") REFERENCES "payment_attempts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "acquirer_accounts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sandbox_refunds" ADD CONSTRAINT "sandbox_refunds_authorisation_id_fkey" FOREIGN KEY ("authorisation_id") REFERENCES "sandbox_authorisations"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sandbox_ledger_entries" ADD CONSTRAINT "sandbox_ledger_entries_refund_id_fkey" FOREIGN KEY ("refund_id") REFERENCES "sandbox_refunds"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- No more goes back than was taken. Every row there has refunded nothing, so none is looked through.
ALTER TABLE "invoices" ADD CONSTRAINT "invoices_refunded_within"
    CHECK ("refunded_minor" BETWEEN 0 AND "amount_minor") NOT VALID;

-- An entry belongs to an authorisation or to a refund.
ALTER TABLE "sandbox_ledger_entries" ADD CONSTRAINT "sandbox_ledger_entries_of_one"
    CHECK (num_nonnulls("authorisation_id", "refund_id") = 1);

-- What is due, and what of an account is under way.
CREATE INDEX "refunds_due" ON "refunds" ("recover_at") WHERE "recover_at" IS NOT NULL;
CREATE INDEX "refunds_open_of_account" ON "refunds" ("account_id")
    WHERE "account_id" IS NOT NULL AND "status" = 'PENDING';
