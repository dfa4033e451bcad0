-- Leases by merchant instead of claims by callback, whose table is left to the version before.

-- CreateTable
CREATE UNLOGGED TABLE "callback_leases" (
    "merchant_id" TEXT NOT NULL,
    "holder_id" TEXT NOT NULL,
    "invoice_ids" TEXT[],
    "due_ats" TIMESTAMPTZ(3)[],
    "leased_until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "callback_leases_pkey" PRIMARY KEY ("merchant_id","holder_id")
);

-- Rows are written over and over, none of their keys changes: with room for their next versions on
-- the same page, no index is touched.
ALTER TABLE "callback_leases" SET (fillfactor = 40);
