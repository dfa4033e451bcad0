-- Callbacks and their attempts get their own ids as keys, by three migrations. The version before writes them all,
-- and finds nothing by the invoice. This one reads no row: results and changes of a status wait for a moment.

-- In the order in which results take them.
LOCK TABLE "callback_attempts", "callbacks" IN ACCESS EXCLUSIVE MODE;

-- The keys need columns that are never null, and believe it of a checked table: they would look through all of it
-- otherwise, and nobody could read it meanwhile.
ALTER TABLE "callback_attempts" ADD CONSTRAINT "callback_attempts_callback_id_there"
    CHECK ("callback_id" IS NOT NULL) NOT VALID;
ALTER TABLE "callbacks" ADD CONSTRAINT "callbacks_id_there" CHECK ("id" IS NOT NULL) NOT VALID;
