-- First of all, whatever isolation is the default here: what is read below is what was committed
-- before this lock, and nobody pays until the trigger is there. Creates wait as well, some tenths of
-- a second for 300,000 invoices that are pending.
LOCK TABLE "invoices" IN SHARE ROW EXCLUSIVE MODE;

-- CreateTable
CREATE TABLE "late_payments" (
    "merchant_id" TEXT NOT NULL,
    "environment" "environment" NOT NULL,
    "invoice_id" TEXT NOT NULL,

    CONSTRAINT "late_payments_pkey" PRIMARY KEY ("merchant_id","environment","invoice_id")
);

-- From here on by hand.

-- An hour is summed up an hour after its end at the earliest, by the clock that is read here, and no
-- payment takes half an hour to be committed: one that is not told here is seen by whoever sums up its
-- hour. By a trigger, so that the version before tells its payments too.
CREATE FUNCTION tell_late_payment() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "late_payments" ("merchant_id", "environment", "invoice_id")
  VALUES (NEW."merchant_id", NEW."environment", NEW."id") ON CONFLICT DO NOTHING;
  RETURN NULL;
END
$$;
CREATE TRIGGER "invoices_paid_late" AFTER UPDATE OF "status" ON "invoices"
  FOR EACH ROW WHEN (OLD."status" = 'PENDING' AND NEW."status" = 'PAID'
    AND clock_timestamp() > NEW."created_at" + interval '30 minutes')
  EXECUTE FUNCTION tell_late_payment();

-- Those that were paid before it and are not added yet.
INSERT INTO "late_payments" ("merchant_id", "environment", "invoice_id")
SELECT u."merchant_id", u."environment", u."invoice_id"
FROM "unsummed_invoices" u JOIN "invoices" i ON i."id" = u."invoice_id" AND i."status" = 'PAID';
