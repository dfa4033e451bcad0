-- Expands only: the version before knows no such links, and their invoices are like all others to it.

-- CreateEnum
CREATE TYPE "link_field" AS ENUM ('off', 'optional', 'required');

-- CreateTable
CREATE TABLE "payment_links" (
    "id" TEXT NOT NULL,
    "code" TEXT NOT NULL,
    "merchant_id" TEXT NOT NULL,
    "environment" "environment" NOT NULL,
    "title" TEXT NOT NULL,
    "description" TEXT,
    "currency" "currency" NOT NULL,
    "amount_minor" BIGINT,
    "least_minor" BIGINT,
    "greatest_minor" BIGINT,
    "max_quantity" INTEGER NOT NULL DEFAULT 1,
    "asks_note" "link_field" NOT NULL,
    "asks_email" "link_field" NOT NULL,
    "asks_phone" "link_field" NOT NULL,
    "uses_limit" INTEGER,
    "uses" INTEGER NOT NULL DEFAULT 0,
    "ends_at" TIMESTAMPTZ(3),
    "is_on" BOOLEAN NOT NULL DEFAULT true,
    "created_by_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "payment_links_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "payment_link_uses" (
    "invoice_id" TEXT NOT NULL,
    "link_id" TEXT NOT NULL,
    "quantity" INTEGER NOT NULL,
    "note" TEXT,
    "email" TEXT,
    "phone" TEXT,

    CONSTRAINT "payment_link_uses_pkey" PRIMARY KEY ("invoice_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "payment_links_code_key" ON "payment_links"("code");

-- CreateIndex
CREATE INDEX "payment_links_merchant_id_environment_id_idx" ON "payment_links"("merchant_id", "environment", "id");

-- CreateIndex
CREATE INDEX "payment_link_uses_link_id_invoice_id_idx" ON "payment_link_uses"("link_id", "invoice_id");

-- AddForeignKey
ALTER TABLE "payment_links" ADD CONSTRAINT "payment_links_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "payment_link_uses" ADD CONSTRAINT "payment_link_uses_invoice_id_fkey" FOREIGN KEY ("invoice_id") REFERENCES "invoices"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "payment_link_uses" ADD CONSTRAINT "payment_link_uses_link_id_fkey" FOREIGN KEY ("link_id") REFERENCES "payment_links"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- One price: fixed, or between two bounds. No order comes to more than an invoice can have.
ALTER TABLE "payment_links" ADD CONSTRAINT "payment_links_one_price" CHECK (
    CASE WHEN "amount_minor" IS NULL
        THEN "least_minor" > 0 AND "greatest_minor" BETWEEN "least_minor" AND 9007199254740991
            AND "max_quantity" = 1
        ELSE "amount_minor" > 0 AND num_nonnulls("least_minor", "greatest_minor") = 0
            AND "max_quantity" > 0 AND "amount_minor"::numeric * "max_quantity" <= 9007199254740991
    END IS TRUE);

-- Whatever takes uses, there are never more than the limit.
ALTER TABLE "payment_links" ADD CONSTRAINT "payment_links_uses_within"
    CHECK ("uses" >= 0 AND ("uses_limit" IS NULL OR ("uses_limit" > 0 AND "uses" <= "uses_limit")));
