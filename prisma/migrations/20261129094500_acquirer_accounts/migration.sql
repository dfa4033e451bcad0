-- Expands only: the version before neither reads nor writes what is new here.

-- CreateTable
CREATE TABLE "acquirer_accounts" (
    "id" TEXT NOT NULL,
    "merchant_id" TEXT NOT NULL,
    "environment" "environment" NOT NULL,
    "provider" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "is_enabled" BOOLEAN NOT NULL DEFAULT true,
    "credentials" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "disconnected_at" TIMESTAMPTZ(3),
    "checked_at" TIMESTAMPTZ(3),
    "check_fault" TEXT,
    "called_at" TIMESTAMPTZ(3),
    "call_fault" TEXT,

    CONSTRAINT "acquirer_accounts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "acquirer_transactions" (
    "attempt_id" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "acquirer_id" TEXT NOT NULL,
    "number" SERIAL NOT NULL,
    "invoice_id" TEXT NOT NULL,
    "amount_minor" BIGINT NOT NULL,
    "state" TEXT NOT NULL,
    "acquirer_at_ms" BIGINT NOT NULL,
    "created_at_ms" BIGINT NOT NULL,
    "performed_at_ms" BIGINT,
    "canceled_at_ms" BIGINT,
    "reason" INTEGER,
    "payment_number" TEXT,
    "details" TEXT NOT NULL DEFAULT '{}',

    CONSTRAINT "acquirer_transactions_pkey" PRIMARY KEY ("attempt_id"),
    CONSTRAINT "acquirer_transactions_amount_positive" CHECK ("amount_minor" > 0),
    CONSTRAINT "acquirer_transactions_state_known" CHECK ("state" IN ('created', 'performed', 'canceled', 'reversed'))
);

-- AlterTable
ALTER TABLE "payment_attempts" ADD COLUMN "account_id" TEXT,
    ALTER COLUMN "card_brand" DROP NOT NULL,
    ALTER COLUMN "card_last4" DROP NOT NULL;

-- CreateIndex
CREATE INDEX "acquirer_accounts_merchant_id_environment_position_idx" ON "acquirer_accounts"("merchant_id", "environment", "position");

-- CreateIndex
CREATE UNIQUE INDEX "acquirer_transactions_number_key" ON "acquirer_transactions"("number");

-- CreateIndex
CREATE UNIQUE INDEX "acquirer_transactions_account_id_acquirer_id_key" ON "acquirer_transactions"("account_id", "acquirer_id");

-- CreateIndex
CREATE INDEX "acquirer_transactions_account_id_acquirer_at_ms_idx" ON "acquirer_transactions"("account_id", "acquirer_at_ms");

-- AddForeignKey
ALTER TABLE "acquirer_accounts" ADD CONSTRAINT "acquirer_accounts_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "acquirer_transactions" ADD CONSTRAINT "acquirer_transactions_attempt_id_fkey" FOREIGN KEY ("attempt_id") REFERENCES "payment_attempts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "acquirer_transactions" ADD CONSTRAINT "acquirer_transactions_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "acquirer_accounts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- An acquirer has at most one transaction that reserves an invoice or has paid it.
CREATE UNIQUE INDEX "acquirer_transactions_one_active" ON "acquirer_transactions" ("invoice_id")
    WHERE "state" IN ('created', 'performed');

-- An acquirer's ids are unique within a merchant's account: nobody can take another merchant's by
-- naming it first. The strongest lock first, as for every index that payments go by.
DROP INDEX "payment_attempts_one_holder";
CREATE UNIQUE INDEX "payment_attempts_one_holder" ON "payment_attempts"
    ("provider", "authorisation_id", (coalesce("account_id", '')))
    WHERE "status" IN ('challenge', 'capturing', 'captured', 'voiding');

-- What of an account is under way.
CREATE INDEX "payment_attempts_open_of_account" ON "payment_attempts" ("account_id")
    WHERE "account_id" IS NOT NULL AND "status" IN ('authorising', 'challenge', 'capturing', 'voiding');
