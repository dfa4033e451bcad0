-- CreateEnum
CREATE TYPE "receipt_email_kind" AS ENUM ('paid', 'refund', 'resend');

-- CreateEnum
CREATE TYPE "receipt_email_state" AS ENUM ('waiting', 'sent', 'refused', 'failed');

-- CreateTable
CREATE TABLE "buyer_contacts" (
    "invoice_id" TEXT NOT NULL,
    "address" TEXT NOT NULL,
    "locale" TEXT NOT NULL,

    CONSTRAINT "buyer_contacts_pkey" PRIMARY KEY ("invoice_id")
);

-- CreateTable
CREATE TABLE "receipt_emails" (
    "id" TEXT NOT NULL,
    "invoice_id" TEXT NOT NULL,
    "refund_id" TEXT,
    "kind" "receipt_email_kind" NOT NULL,
    "address" TEXT NOT NULL,
    "locale" TEXT NOT NULL,
    "state" "receipt_email_state" NOT NULL DEFAULT 'waiting',
    "attempt_count" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),
    "reason" TEXT,

    CONSTRAINT "receipt_emails_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "receipt_emails_invoice_id_created_at_idx" ON "receipt_emails"("invoice_id", "created_at");

-- AddForeignKey
ALTER TABLE "buyer_contacts" ADD CONSTRAINT "buyer_contacts_invoice_id_fkey" FOREIGN KEY ("invoice_id") REFERENCES "invoices"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "receipt_emails" ADD CONSTRAINT "receipt_emails_invoice_id_fkey" FOREIGN KEY ("invoice_id") REFERENCES "invoices"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What the worker looks for; Prisma's language has no partial index.
CREATE INDEX "receipt_emails_due" ON "receipt_emails"("next_attempt_at") WHERE "state" = 'waiting';
