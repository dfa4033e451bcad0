-- What the version before neither reads nor writes: the sums of invoices without quarters, and leases by callback.

-- DropTable
DROP TABLE "invoice_hours";

-- DropTable
DROP TABLE "late_invoices";

-- DropTable
DROP TABLE "invoice_hours_progress";

-- DropTable
DROP TABLE "callback_claims";

-- Figures of what is due are read by callbacks_queued. Those of the version before stay right, and only take longer.
DROP INDEX "callbacks_due";
