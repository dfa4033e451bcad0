-- CreateTable
CREATE TABLE "event_addresses" (
    "merchant_id" TEXT NOT NULL,
    "environment" "environment" NOT NULL,
    "url" TEXT NOT NULL,
    "types" TEXT[],
    "set_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "event_addresses_pkey" PRIMARY KEY ("merchant_id","environment")
);

-- AddForeignKey
ALTER TABLE "event_addresses" ADD CONSTRAINT "event_addresses_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "event_addresses" ADD CONSTRAINT "event_addresses_types_known" CHECK (cardinality("types") > 0 AND "types" <@
    ARRAY['invoice.paid', 'invoice.expired', 'invoice.canceled', 'refund.created', 'refund.succeeded', 'refund.failed', 'callback.exhausted']);

-- As callbacks_queued, by which the version before claims, with a queue for events: an address of theirs that hangs
-- delays no notification. The next version's migrations drop callbacks_queued.
CREATE INDEX "callbacks_queued_by_kind" ON "callbacks" (
  "merchant_id",
  (CASE WHEN "kind" = 'event' THEN 5 WHEN "environment" = 'sandbox' THEN 4 WHEN "next_trigger" = 'resend' THEN 3
        WHEN "attempt_count" = 0 THEN 1 ELSE 2 END),
  "next_attempt_at"
) WITH (deduplicate_items = off) WHERE "state" = 'pending';
