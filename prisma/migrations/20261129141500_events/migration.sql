-- The log of events, in the order of the transactions that wrote them: server/events/list.ts says how that
-- holds. What the version before does meanwhile is not in it. invoice.created is read from the invoice, whose
-- row a create writes anyway; invoices from before have no position, and no such event.

-- AlterTable
ALTER TABLE "invoices" ADD COLUMN     "created_position" BIGINT;

-- CreateTable
CREATE TABLE "events" (
    "number" BIGSERIAL NOT NULL,
    "position" BIGINT NOT NULL,
    "merchant_id" TEXT NOT NULL,
    "environment" "environment" NOT NULL,
    "type" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "invoice_id" TEXT NOT NULL,
    "refund_id" TEXT,

    CONSTRAINT "events_pkey" PRIMARY KEY ("merchant_id","environment","position","number")
);

-- CreateIndex
CREATE INDEX "events_at_idx" ON "events"("at");

ALTER TABLE "events" ADD CONSTRAINT "events_type_known" CHECK ("type" IN ('invoice.paid', 'invoice.expired',
    'invoice.canceled', 'refund.created', 'refund.succeeded', 'refund.failed', 'callback.exhausted'));

-- Empty at first, as no invoice has a position yet.
CREATE INDEX "invoices_by_created_position" ON "invoices" ("merchant_id", "environment", "created_position", "id")
    WHERE "created_position" IS NOT NULL;

-- Raised after a restore from a dump (server/db/continue-events.ts). Both are inlined by the planner, which
-- plans anew when one is replaced.
CREATE FUNCTION event_offset() RETURNS bigint LANGUAGE sql IMMUTABLE AS 'SELECT 0::bigint';
CREATE FUNCTION event_position() RETURNS bigint LANGUAGE sql STABLE
    AS 'SELECT pg_current_xact_id()::text::bigint + event_offset()';
