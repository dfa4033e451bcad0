-- What waits to be sent is claimed by its id from the first moment on. All else is filled in after the migrations, set by
-- set (server/db/fill-callback-ids.ts): millions of rows at once would hold off whoever resends one.
UPDATE "callbacks" SET "id" = 'ntf_' || substr("invoice_id", 5) WHERE "state" = 'pending' AND "id" IS NULL;
