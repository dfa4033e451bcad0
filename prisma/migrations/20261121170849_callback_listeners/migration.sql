-- CreateTable
CREATE TABLE "callback_listeners" (
    "merchant_id" TEXT NOT NULL,
    "listener_id" TEXT NOT NULL,
    "listening_until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "callback_listeners_pkey" PRIMARY KEY ("merchant_id")
);

-- CreateTable
CREATE TABLE "callback_forwards" (
    "id" TEXT NOT NULL,
    "merchant_id" TEXT NOT NULL,
    "invoice_id" TEXT NOT NULL,
    "attempt" INTEGER NOT NULL,
    "url" TEXT NOT NULL,
    "headers" TEXT[],
    "body" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "taken_at" TIMESTAMPTZ(3),
    "answered_at" TIMESTAMPTZ(3),
    "duration_ms" INTEGER,
    "http_status" INTEGER,
    "answer" BYTEA,
    "failure" TEXT,
    "retry_after" TEXT,
    "location" TEXT,

    CONSTRAINT "callback_forwards_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "callback_forwards_merchant_id_created_at_idx" ON "callback_forwards"("merchant_id", "created_at");

-- What a crash may forget: a listener says again that it is there, an attempt is made again.
ALTER TABLE "callback_listeners" SET UNLOGGED;
ALTER TABLE "callback_forwards" SET UNLOGGED;

ALTER TABLE "callback_attempts" DROP CONSTRAINT "callback_attempts_trigger_known";
ALTER TABLE "callback_attempts" ADD CONSTRAINT "callback_attempts_trigger_known"
  CHECK ("trigger" IN ('schedule', 'resend', 'listener'));
