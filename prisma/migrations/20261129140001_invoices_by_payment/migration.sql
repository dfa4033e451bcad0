-- For lists by the time of payment: PAID is final, and so is the time of its status. Written when an invoice
-- is paid, never by a create. Creates and changes of a status wait while it is made, as for the one before.
CREATE INDEX "invoices_by_payment" ON "invoices" ("merchant_id", "environment", "currency", "status_changed_at" DESC, "id" DESC)
    WHERE "status" = 'PAID';
