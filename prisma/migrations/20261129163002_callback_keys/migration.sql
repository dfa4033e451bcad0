-- The keys by id. Their indexes are there and no row is read, so that results and changes of a status wait for a
-- moment. The version before fills in all ids itself, and does without the triggers and the old keys.

-- In the order in which results take them.
LOCK TABLE "callback_attempts", "callbacks" IN ACCESS EXCLUSIVE MODE;

ALTER TABLE "callback_attempts" ALTER COLUMN "callback_id" SET NOT NULL;
ALTER TABLE "callback_attempts" DROP CONSTRAINT "callback_attempts_callback_id_there",
DROP CONSTRAINT "callback_attempts_pkey",
ADD CONSTRAINT "callback_attempts_pkey" PRIMARY KEY USING INDEX "callback_attempts_callback_id_number_key";
-- The version before writes it still.
ALTER TABLE "callback_attempts" ALTER COLUMN "invoice_id" DROP NOT NULL;

ALTER TABLE "callbacks" ALTER COLUMN "id" SET NOT NULL;
ALTER TABLE "callbacks" DROP CONSTRAINT "callbacks_id_there",
DROP CONSTRAINT "callbacks_pkey",
ADD CONSTRAINT "callbacks_pkey" PRIMARY KEY USING INDEX "callbacks_id_key";

DROP TRIGGER "callback_attempts_filled" ON "callback_attempts";
DROP FUNCTION fill_attempted_callback_id();
DROP TRIGGER "callbacks_filled" ON "callbacks";
DROP FUNCTION fill_callback_id();

-- Attempts go by the id, without a foreign key.
CREATE OR REPLACE TRIGGER "callbacks_kept" BEFORE DELETE OR UPDATE OF "id", "invoice_id" ON "callbacks"
  FOR EACH ROW EXECUTE FUNCTION refuse_delete_of_callback();
