-- CreateTable
CREATE TABLE "invoice_hours" (
    "merchant_id" TEXT NOT NULL,
    "environment" "environment" NOT NULL,
    "hour" TIMESTAMPTZ(3) NOT NULL,
    "currency" "currency" NOT NULL,
    "created" INTEGER NOT NULL,
    "paid" INTEGER NOT NULL,
    "paid_minor" DECIMAL(38,0) NOT NULL,

    CONSTRAINT "invoice_hours_pkey" PRIMARY KEY ("merchant_id","environment","hour","currency")
);

-- CreateTable
CREATE TABLE "late_invoices" (
    "merchant_id" TEXT NOT NULL,
    "environment" "environment" NOT NULL,
    "invoice_id" TEXT NOT NULL,
    "hour" TIMESTAMPTZ(3) NOT NULL,
    "look_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "late_invoices_pkey" PRIMARY KEY ("merchant_id","environment","invoice_id")
);

-- CreateTable
CREATE TABLE "invoice_hours_progress" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "summed_until" TIMESTAMPTZ(3) NOT NULL,
    "summed_until_id" TEXT NOT NULL,

    CONSTRAINT "invoice_hours_progress_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "late_invoices_look_at_idx" ON "late_invoices"("look_at");

-- From here on by hand.

-- A merchant's hours lie apart in the table, with the other merchants' between them: the overview
-- reads this index alone.
CREATE INDEX "invoice_hours_sums" ON "invoice_hours" ("merchant_id", "environment", "hour")
  INCLUDE ("currency", "created", "paid", "paid_minor");

-- There is one progress.
ALTER TABLE "invoice_hours_progress" ADD CONSTRAINT "invoice_hours_progress_one" CHECK ("id" = 1);
