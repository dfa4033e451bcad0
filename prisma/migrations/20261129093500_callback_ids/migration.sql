-- Callbacks get a key of their own, a kind and a target, so that an invoice can have others beside its
-- notification. The id of a notification is that of its invoice with another prefix: the version before, which
-- writes none, has it filled in here, and both know one by the same `webhook-id`.

-- In the order in which results take them.
LOCK TABLE "callback_attempts", "callbacks" IN ACCESS EXCLUSIVE MODE;

-- CreateEnum
CREATE TYPE "callback_kind" AS ENUM ('notification', 'event');

-- CreateEnum
CREATE TYPE "callback_target" AS ENUM ('callback_url', 'events_address');

-- AlterTable
ALTER TABLE "callbacks" ADD COLUMN     "id" TEXT,
ADD COLUMN     "kind" "callback_kind" NOT NULL DEFAULT 'notification',
ADD COLUMN     "target" "callback_target" NOT NULL DEFAULT 'callback_url';

-- AlterTable
ALTER TABLE "callback_attempts" ADD COLUMN     "callback_id" TEXT;

-- AlterTable
ALTER TABLE "callback_forwards" ADD COLUMN     "callback_id" TEXT;

-- AlterTable
ALTER TABLE "callback_leases" ADD COLUMN     "callback_ids" TEXT[];

-- One notification an invoice, by the key alone: its id is its invoice's. Not checked for what stands there, which the
-- next version's migrations do.
ALTER TABLE "callbacks" ADD CONSTRAINT "callbacks_one_notification" CHECK (
  "kind" <> 'notification' OR ("id" = 'ntf_' || substr("invoice_id", 5) AND "target" = 'callback_url')
) NOT VALID;

CREATE FUNCTION fill_callback_id() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.id := 'ntf_' || substr(NEW.invoice_id, 5);
  RETURN NEW;
END
$$;
-- On updates too: what has none yet is given one by whoever changes it.
CREATE TRIGGER "callbacks_filled" BEFORE INSERT OR UPDATE ON "callbacks"
  FOR EACH ROW WHEN (NEW."id" IS NULL) EXECUTE FUNCTION fill_callback_id();

CREATE FUNCTION fill_attempted_callback_id() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.callback_id := 'ntf_' || substr(NEW.invoice_id, 5);
  RETURN NEW;
END
$$;
CREATE TRIGGER "callback_attempts_filled" BEFORE INSERT ON "callback_attempts"
  FOR EACH ROW WHEN (NEW."callback_id" IS NULL) EXECUTE FUNCTION fill_attempted_callback_id();
