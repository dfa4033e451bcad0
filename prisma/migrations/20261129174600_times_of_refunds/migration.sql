-- AlterTable
ALTER TABLE "refunds" ADD COLUMN     "returned_at" TIMESTAMPTZ(3),
ADD COLUMN     "succeeded_at" TIMESTAMPTZ(3);

-- From here on by hand.

-- By a trigger, so that the version before writes them too.
CREATE FUNCTION write_refund_times() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW."status" = 'SUCCEEDED' THEN
    NEW."succeeded_at" := coalesce(NEW."succeeded_at", NEW."updated_at");
  ELSIF NEW."status" = 'FAILED' AND NEW."succeeded_at" IS NOT NULL THEN
    NEW."returned_at" := coalesce(NEW."returned_at", NEW."updated_at");
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER "refunds_times" BEFORE INSERT OR UPDATE OF "status" ON "refunds"
  FOR EACH ROW EXECUTE FUNCTION write_refund_times();

-- Those from before it. Events are kept for 90 days, longer than there have been refunds.
UPDATE "refunds" SET "succeeded_at" = "updated_at" WHERE "status" = 'SUCCEEDED';
UPDATE "refunds" r SET "succeeded_at" = e."at", "returned_at" = r."updated_at"
FROM "events" e
WHERE r."status" = 'FAILED' AND e."merchant_id" = r."merchant_id" AND e."environment" = r."environment"
  AND e."refund_id" = r."id" AND e."type" = 'refund.succeeded';

-- For a register of days.
CREATE INDEX "refunds_by_success" ON "refunds" ("merchant_id", "environment", "succeeded_at", "id")
    WHERE "succeeded_at" IS NOT NULL;
CREATE INDEX "refunds_by_return" ON "refunds" ("merchant_id", "environment", "returned_at", "id")
    WHERE "returned_at" IS NOT NULL;
