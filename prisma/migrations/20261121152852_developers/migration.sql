-- AlterTable
ALTER TABLE "merchants" ADD COLUMN     "settings_version" INTEGER NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "merchant_logos" (
    "merchant_id" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "content_type" TEXT NOT NULL,
    "bytes" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "merchant_logos_pkey" PRIMARY KEY ("merchant_id")
);

-- CreateTable
CREATE TABLE "api_requests" (
    "id" BIGSERIAL NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "merchant_id" TEXT NOT NULL,
    "environment" "environment" NOT NULL,
    "token_id" TEXT NOT NULL,
    "request_id" TEXT NOT NULL,
    "method" TEXT NOT NULL,
    "path" TEXT NOT NULL,
    "status" INTEGER NOT NULL,
    "duration_ms" REAL NOT NULL,
    "message" TEXT,
    "faults" TEXT,
    "invoice_id" TEXT,
    "merchant_transaction_id" TEXT,
    "skipped" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "api_requests_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "api_requests_merchant_id_environment_id_idx" ON "api_requests"("merchant_id", "environment", "id" DESC);

-- CreateIndex
CREATE INDEX "api_requests_merchant_id_request_id_idx" ON "api_requests"("merchant_id", "request_id");

-- CreateIndex
CREATE INDEX "api_requests_merchant_id_invoice_id_idx" ON "api_requests"("merchant_id", "invoice_id");

-- CreateIndex
CREATE INDEX "api_requests_merchant_id_merchant_transaction_id_idx" ON "api_requests"("merchant_id", "merchant_transaction_id");

-- AddForeignKey
ALTER TABLE "merchant_logos" ADD CONSTRAINT "merchant_logos_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- From here on by hand.

-- Failures are what is looked for, and few.
CREATE INDEX "api_requests_failed" ON "api_requests" ("merchant_id", "environment", "id" DESC)
  WHERE "status" >= 400;
