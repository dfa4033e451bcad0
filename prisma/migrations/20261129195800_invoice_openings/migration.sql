-- CreateTable
CREATE TABLE "invoice_openings" (
    "invoice_id" TEXT NOT NULL,
    "opened_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "invoice_openings_pkey" PRIMARY KEY ("invoice_id")
);
