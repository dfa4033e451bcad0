-- A transaction whose hold has ended reserves nothing: it keeps no other acquirer, and no second try, from
-- the invoice. The invoice's claim lets one transaction at a time reserve it.
-- The strongest lock first, as for every index that payments go by.
DROP INDEX "acquirer_transactions_one_active";
CREATE UNIQUE INDEX "acquirer_transactions_one_performed" ON "acquirer_transactions" ("invoice_id")
    WHERE "state" = 'performed';
