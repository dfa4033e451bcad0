-- Expands only: the version before neither reads nor writes what is new here.
-- AlterTable
ALTER TABLE "acquirer_accounts" ADD COLUMN     "compare_at" TIMESTAMPTZ(3),
ADD COLUMN     "compare_fault" TEXT,
ADD COLUMN     "compared_at" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "book_differences" (
    "id" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "what" TEXT NOT NULL,
    "our_id" TEXT,
    "acquirer_id" TEXT,
    "invoice_id" TEXT,
    "our_amount_minor" BIGINT,
    "our_currency" "currency",
    "our_state" TEXT,
    "their_amount_minor" BIGINT,
    "their_currency" "currency",
    "their_state" TEXT,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "found_at" TIMESTAMPTZ(3) NOT NULL,
    "seen_at" TIMESTAMPTZ(3) NOT NULL,
    "gone_at" TIMESTAMPTZ(3),
    "settled_at" TIMESTAMPTZ(3),
    "note" TEXT,

    CONSTRAINT "book_differences_pkey" PRIMARY KEY ("id")
);

-- AddForeignKey
ALTER TABLE "book_differences" ADD CONSTRAINT "book_differences_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "acquirer_accounts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Of a payment or refund at most one difference that is not gone.
CREATE UNIQUE INDEX "book_differences_one_found"
    ON "book_differences" ("account_id", "kind", coalesce("our_id", ''), coalesce("acquirer_id", ''))
    WHERE "gone_at" IS NULL;

-- The differences that are shown.
CREATE INDEX "book_differences_open"
    ON "book_differences" ("account_id", "at") WHERE "gone_at" IS NULL AND "settled_at" IS NULL;
