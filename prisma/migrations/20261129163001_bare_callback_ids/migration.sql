-- What the version before left without an id: nothing, unless its `migrate` was cut short, or it never ran and all
-- processes are ended.
UPDATE "callback_attempts" SET "callback_id" = 'ntf_' || substr("invoice_id", 5) WHERE "callback_id" IS NULL;
UPDATE "callbacks" SET "id" = 'ntf_' || substr("invoice_id", 5) WHERE "id" IS NULL;

-- Each reads its table once, and nobody waits for it.
ALTER TABLE "callback_attempts" VALIDATE CONSTRAINT "callback_attempts_callback_id_there";
ALTER TABLE "callbacks" VALIDATE CONSTRAINT "callbacks_id_there",
VALIDATE CONSTRAINT "callbacks_one_notification";
