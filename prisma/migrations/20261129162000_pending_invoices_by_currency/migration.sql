-- For a merchant's lists of PENDING invoices, by currency as well. A create pays for it, but it stays as small
-- as what is pending. Creates and changes of a status wait while it is made, a second for each million
-- invoices; reads do not.
CREATE INDEX "invoices_pending_by_currency" ON "invoices" ("merchant_id", "environment", "currency", "id")
    WHERE "status" = 'PENDING';
