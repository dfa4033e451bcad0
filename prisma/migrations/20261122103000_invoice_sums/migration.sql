-- Sums of invoices by quarters of hours too: days begin at a half or a quarter of an hour of UTC in
-- some zones, India's and Nepal's among them. In tables of their own, so that the version before
-- can go on with its own; the worker sums up anew.

-- CreateTable
CREATE TABLE "invoice_hour_sums" (
    "merchant_id" TEXT NOT NULL,
    "environment" "environment" NOT NULL,
    "hour" TIMESTAMPTZ(3) NOT NULL,
    "currency" "currency" NOT NULL,
    "created" INTEGER NOT NULL,
    "paid" INTEGER NOT NULL,
    "paid_minor" DECIMAL(38,0) NOT NULL,

    CONSTRAINT "invoice_hour_sums_pkey" PRIMARY KEY ("merchant_id","environment","hour","currency")
);

-- CreateTable
CREATE TABLE "invoice_quarter_sums" (
    "merchant_id" TEXT NOT NULL,
    "environment" "environment" NOT NULL,
    "quarter" TIMESTAMPTZ(3) NOT NULL,
    "currency" "currency" NOT NULL,
    "created" INTEGER NOT NULL,
    "paid" INTEGER NOT NULL,
    "paid_minor" DECIMAL(38,0) NOT NULL,

    CONSTRAINT "invoice_quarter_sums_pkey" PRIMARY KEY ("merchant_id","environment","quarter","currency")
);

-- CreateTable
CREATE TABLE "unsummed_invoices" (
    "merchant_id" TEXT NOT NULL,
    "environment" "environment" NOT NULL,
    "invoice_id" TEXT NOT NULL,
    "quarter" TIMESTAMPTZ(3) NOT NULL,
    "look_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "unsummed_invoices_pkey" PRIMARY KEY ("merchant_id","environment","invoice_id")
);

-- CreateTable
CREATE TABLE "invoice_sums_progress" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "summed_until" TIMESTAMPTZ(3) NOT NULL,
    "summed_until_id" TEXT NOT NULL,

    CONSTRAINT "invoice_sums_progress_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "unsummed_invoices_look_at_idx" ON "unsummed_invoices"("look_at");

-- From here on by hand.

-- A merchant's hours lie apart in the table, with the other merchants' between them: the overview
-- reads this index alone.
CREATE INDEX "invoice_hour_sums_covering" ON "invoice_hour_sums" ("merchant_id", "environment", "hour")
  INCLUDE ("currency", "created", "paid", "paid_minor");

-- There is one progress.
ALTER TABLE "invoice_sums_progress" ADD CONSTRAINT "invoice_sums_progress_one" CHECK ("id" = 1);
