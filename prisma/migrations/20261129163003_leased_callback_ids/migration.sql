-- What has no ids is of two versions before: nobody waits for it any more.
DELETE FROM "callback_forwards" WHERE "callback_id" IS NULL;
DELETE FROM "callback_leases" WHERE "callback_ids" IS NULL;

-- The table has only what is under way.
ALTER TABLE "callback_forwards" ALTER COLUMN "callback_id" SET NOT NULL;
