-- AlterTable
ALTER TABLE "sessions" ADD COLUMN     "acting_merchant_id" TEXT,
ADD COLUMN     "acting_until" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "process_beats" (
    "id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "host" TEXT NOT NULL,
    "pid" INTEGER NOT NULL,
    "driver" TEXT,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "last_seen_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "process_beats_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "backlog_samples" (
    "at" TIMESTAMPTZ(3) NOT NULL,
    "callbacks_due" INTEGER NOT NULL,
    "oldest_callback_ms" BIGINT NOT NULL,
    "expiry_lag_ms" BIGINT NOT NULL,
    "recoveries_waiting" INTEGER NOT NULL,
    "status_changes" BIGINT NOT NULL,
    "delivery_attempts" BIGINT NOT NULL,

    CONSTRAINT "backlog_samples_pkey" PRIMARY KEY ("at")
);

-- CreateIndex
CREATE INDEX "process_beats_last_seen_at_idx" ON "process_beats"("last_seen_at");

-- AddForeignKey
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_acting_merchant_id_fkey" FOREIGN KEY ("acting_merchant_id") REFERENCES "merchants"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- From here on by hand.

-- One acts for a merchant until a time, or not at all.
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_acting_until_set" CHECK (("acting_merchant_id" IS NULL) = ("acting_until" IS NULL));
ALTER TABLE "process_beats" ADD CONSTRAINT "process_beats_kind_known" CHECK ("kind" IN ('web', 'worker'));
ALTER TABLE "process_beats" ADD CONSTRAINT "process_beats_driver_known" CHECK ("driver" IN ('embedded', 'inngest', 'fallback'));

-- Acting for a merchant ends in many ways: by a press, by signing out, with a session that somebody
-- ends or that expires, with the operator's own end. The merchant reads of each in its audit log.
CREATE FUNCTION record_end_of_acting() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "audit_log" ("at", "actor_type", "actor_id", "actor_label", "address", "merchant_id",
                           "action", "target_type", "target_id")
  VALUES (least(now(), OLD."acting_until"), 'operator', OLD."user_id",
          coalesce((SELECT "email" FROM "users" WHERE "id" = OLD."user_id"), OLD."user_id"),
          OLD."address", OLD."acting_merchant_id",
          'merchant.act_end', 'merchant', OLD."acting_merchant_id");
  RETURN NULL;
END
$$;
CREATE TRIGGER "sessions_acting_changed" AFTER UPDATE OF "acting_merchant_id", "acting_until" ON "sessions"
  FOR EACH ROW WHEN (OLD."acting_merchant_id" IS NOT NULL
    AND (NEW."acting_merchant_id" IS DISTINCT FROM OLD."acting_merchant_id"
      OR NEW."acting_until" IS DISTINCT FROM OLD."acting_until"))
  EXECUTE FUNCTION record_end_of_acting();
CREATE TRIGGER "sessions_acting_deleted" AFTER DELETE ON "sessions"
  FOR EACH ROW WHEN (OLD."acting_merchant_id" IS NOT NULL)
  EXECUTE FUNCTION record_end_of_acting();
