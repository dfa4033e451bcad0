-- Days begin at a half or a quarter of an hour of UTC in some zones, India's and Nepal's among them.

-- CreateTable
CREATE TABLE "invoice_quarter_hours" (
    "merchant_id" TEXT NOT NULL,
    "environment" "environment" NOT NULL,
    "quarter" TIMESTAMPTZ(3) NOT NULL,
    "currency" "currency" NOT NULL,
    "created" INTEGER NOT NULL,
    "paid" INTEGER NOT NULL,
    "paid_minor" DECIMAL(38,0) NOT NULL,

    CONSTRAINT "invoice_quarter_hours_pkey" PRIMARY KEY ("merchant_id","environment","quarter","currency")
);

-- From here on by hand.

-- A worker of before, which knows of no quarters, can write no sums from here on.
ALTER TABLE "late_invoices" RENAME COLUMN "hour" TO "quarter";

-- What is summed up is summed up anew, as quarters too; it is counted one by one until then.
DELETE FROM "invoice_hours";
DELETE FROM "late_invoices";
DELETE FROM "invoice_hours_progress";
