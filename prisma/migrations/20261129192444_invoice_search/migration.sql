-- CreateTable
CREATE TABLE "invoice_search_blocks" (
    "id" BIGSERIAL NOT NULL,
    "merchant_id" TEXT NOT NULL,
    "environment" "environment" NOT NULL,
    "first_id" TEXT NOT NULL,
    "last_id" TEXT NOT NULL,
    "ids" BYTEA NOT NULL,

    CONSTRAINT "invoice_search_blocks_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "invoice_search_grams" (
    "block_id" BIGINT NOT NULL,
    "gram" SMALLINT NOT NULL,
    "places" BYTEA NOT NULL,

    CONSTRAINT "invoice_search_grams_pkey" PRIMARY KEY ("block_id","gram")
);

-- CreateTable
CREATE TABLE "invoice_search_tails" (
    "merchant_id" TEXT NOT NULL,
    "environment" "environment" NOT NULL,
    "indexed_to_id" TEXT NOT NULL DEFAULT '',
    "count" INTEGER NOT NULL,

    CONSTRAINT "invoice_search_tails_pkey" PRIMARY KEY ("merchant_id","environment")
);

-- CreateTable
CREATE TABLE "invoice_search_progress" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "counted_to_id" TEXT NOT NULL,

    CONSTRAINT "invoice_search_progress_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "invoice_search_blocks_merchant_id_environment_last_id_key" ON "invoice_search_blocks"("merchant_id", "environment", "last_id");

-- From here on by hand.

-- Random characters: not compressed, so that one id is read without the others.
ALTER TABLE "invoice_search_blocks" ALTER COLUMN "ids" SET STORAGE EXTERNAL;

-- Buyers are found by their address, or its beginning.
CREATE INDEX "buyer_contacts_by_address" ON "buyer_contacts" (lower("address") text_pattern_ops, "invoice_id");
CREATE INDEX "payment_link_uses_by_email" ON "payment_link_uses" (lower("email") text_pattern_ops, "invoice_id")
    WHERE "email" IS NOT NULL;
