-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateEnum
CREATE TYPE "environment" AS ENUM ('sandbox', 'production');

-- CreateEnum
CREATE TYPE "currency" AS ENUM ('USD', 'EUR', 'RUB', 'UZS');

-- CreateEnum
CREATE TYPE "merchant_status" AS ENUM ('active', 'suspended');

-- CreateEnum
CREATE TYPE "role" AS ENUM ('owner', 'admin', 'developer', 'support', 'viewer');

-- CreateEnum
CREATE TYPE "invoice_status" AS ENUM ('PENDING', 'PAID', 'EXPIRED', 'CANCELED');

-- CreateEnum
CREATE TYPE "actor_type" AS ENUM ('api', 'buyer', 'clock', 'staff', 'operator', 'test', 'recovery');

-- CreateEnum
CREATE TYPE "attempt_status" AS ENUM ('authorising', 'challenge', 'capturing', 'captured', 'voiding', 'voided', 'declined', 'abandoned', 'failed');

-- CreateEnum
CREATE TYPE "callback_state" AS ENUM ('pending', 'delivered', 'exhausted');

-- CreateEnum
CREATE TYPE "ledger_entry_kind" AS ENUM ('authorisation', 'capture', 'void');

-- CreateTable
CREATE TABLE "merchants" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "status" "merchant_status" NOT NULL DEFAULT 'active',
    "logo_url" TEXT,
    "brand_color" TEXT,
    "default_locale" TEXT NOT NULL DEFAULT 'en',
    "time_zone" TEXT NOT NULL DEFAULT 'UTC',
    "require_totp" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "suspended_at" TIMESTAMPTZ(3),

    CONSTRAINT "merchants_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "users" (
    "id" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "name" TEXT,
    "password_hash" TEXT,
    "is_operator" BOOLEAN NOT NULL DEFAULT false,
    "locale" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "disabled_at" TIMESTAMPTZ(3),

    CONSTRAINT "users_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "memberships" (
    "user_id" TEXT NOT NULL,
    "merchant_id" TEXT NOT NULL,
    "role" "role" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "memberships_pkey" PRIMARY KEY ("user_id","merchant_id")
);

-- CreateTable
CREATE TABLE "api_tokens" (
    "id" TEXT NOT NULL,
    "merchant_id" TEXT NOT NULL,
    "environment" "environment" NOT NULL,
    "name" TEXT NOT NULL,
    "prefix" TEXT NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_used_at" TIMESTAMPTZ(3),
    "expires_at" TIMESTAMPTZ(3),
    "deactivated_at" TIMESTAMPTZ(3),

    CONSTRAINT "api_tokens_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "signing_secrets" (
    "id" TEXT NOT NULL,
    "merchant_id" TEXT NOT NULL,
    "environment" "environment" NOT NULL,
    "sealed" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3),

    CONSTRAINT "signing_secrets_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "invoices" (
    "id" TEXT NOT NULL,
    "merchant_id" TEXT NOT NULL,
    "environment" "environment" NOT NULL,
    "merchant_transaction_id" TEXT NOT NULL,
    "status" "invoice_status" NOT NULL DEFAULT 'PENDING',
    "amount_minor" BIGINT NOT NULL,
    "currency" "currency" NOT NULL,
    "description" TEXT NOT NULL,
    "positions" TEXT NOT NULL,
    "merchant_data" TEXT,
    "success_url" TEXT NOT NULL,
    "error_url" TEXT NOT NULL,
    "callback_url" TEXT NOT NULL,
    "end_date" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "status_changed_at" TIMESTAMPTZ(3) NOT NULL,
    "capture_attempt_id" TEXT,
    "extra_data" TEXT,
    "request_id" TEXT,

    CONSTRAINT "invoices_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "invoice_events" (
    "id" BIGSERIAL NOT NULL,
    "invoice_id" TEXT NOT NULL,
    "from_status" "invoice_status" NOT NULL,
    "to_status" "invoice_status" NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "actor_type" "actor_type" NOT NULL,
    "actor_id" TEXT,
    "request_id" TEXT,

    CONSTRAINT "invoice_events_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "payment_attempts" (
    "id" TEXT NOT NULL,
    "invoice_id" TEXT NOT NULL,
    "status" "attempt_status" NOT NULL,
    "provider" TEXT NOT NULL,
    "authorisation_id" TEXT,
    "amount_minor" BIGINT NOT NULL,
    "currency" "currency" NOT NULL,
    "card_brand" TEXT NOT NULL,
    "card_last4" TEXT NOT NULL,
    "decline_reason" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "recover_at" TIMESTAMPTZ(3),

    CONSTRAINT "payment_attempts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sandbox_authorisations" (
    "id" TEXT NOT NULL,
    "idempotency_key" TEXT NOT NULL,
    "amount_minor" BIGINT NOT NULL,
    "currency" "currency" NOT NULL,
    "outcome" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "decline_reason" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "answers_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sandbox_authorisations_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sandbox_ledger_entries" (
    "id" BIGSERIAL NOT NULL,
    "authorisation_id" TEXT NOT NULL,
    "kind" "ledger_entry_kind" NOT NULL,
    "amount_minor" BIGINT NOT NULL,
    "currency" "currency" NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sandbox_ledger_entries_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "callbacks" (
    "invoice_id" TEXT NOT NULL,
    "merchant_id" TEXT NOT NULL,
    "environment" "environment" NOT NULL,
    "url" TEXT NOT NULL,
    "host" TEXT NOT NULL,
    "invoice_status" "invoice_status" NOT NULL,
    "body" BYTEA NOT NULL,
    "state" "callback_state" NOT NULL DEFAULT 'pending',
    "attempt_count" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ(3) NOT NULL,
    "claimed_until" TIMESTAMPTZ(3),
    "claim_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "delivered_at" TIMESTAMPTZ(3),
    "last_reason" TEXT,
    "last_http_status" INTEGER,
    "next_trigger" TEXT NOT NULL DEFAULT 'schedule',
    "relayed_at" TIMESTAMPTZ(3),

    CONSTRAINT "callbacks_pkey" PRIMARY KEY ("invoice_id")
);

-- CreateTable
CREATE TABLE "callback_attempts" (
    "id" BIGSERIAL NOT NULL,
    "invoice_id" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "duration_ms" INTEGER NOT NULL,
    "http_status" INTEGER,
    "delivered" BOOLEAN NOT NULL,
    "reason" TEXT,
    "answer" BYTEA,
    "trigger" TEXT NOT NULL,

    CONSTRAINT "callback_attempts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "idempotency_keys" (
    "merchant_id" TEXT NOT NULL,
    "environment" "environment" NOT NULL,
    "key" TEXT NOT NULL,
    "request_hash" BYTEA NOT NULL,
    "invoice_id" TEXT NOT NULL,
    "response_body" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "idempotency_keys_pkey" PRIMARY KEY ("merchant_id","environment","key")
);

-- CreateTable
CREATE TABLE "audit_log" (
    "id" BIGSERIAL NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "actor_type" "actor_type" NOT NULL,
    "actor_id" TEXT,
    "actor_label" TEXT NOT NULL,
    "merchant_id" TEXT,
    "environment" "environment",
    "action" TEXT NOT NULL,
    "target_type" TEXT,
    "target_id" TEXT,
    "details" JSONB,
    "address" TEXT,

    CONSTRAINT "audit_log_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "users_email_key" ON "users"("email");

-- CreateIndex
CREATE INDEX "memberships_merchant_id_idx" ON "memberships"("merchant_id");

-- CreateIndex
CREATE UNIQUE INDEX "api_tokens_token_hash_key" ON "api_tokens"("token_hash");

-- CreateIndex
CREATE INDEX "api_tokens_merchant_id_environment_idx" ON "api_tokens"("merchant_id", "environment");

-- CreateIndex
CREATE INDEX "signing_secrets_merchant_id_environment_idx" ON "signing_secrets"("merchant_id", "environment");

-- CreateIndex
CREATE INDEX "invoices_merchant_id_environment_id_idx" ON "invoices"("merchant_id", "environment", "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "invoices_merchant_id_environment_merchant_transaction_id_key" ON "invoices"("merchant_id", "environment", "merchant_transaction_id");

-- CreateIndex
CREATE UNIQUE INDEX "invoice_events_invoice_id_key" ON "invoice_events"("invoice_id");

-- CreateIndex
CREATE INDEX "payment_attempts_invoice_id_created_at_idx" ON "payment_attempts"("invoice_id", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "sandbox_authorisations_idempotency_key_key" ON "sandbox_authorisations"("idempotency_key");

-- CreateIndex
CREATE UNIQUE INDEX "sandbox_ledger_entries_authorisation_id_kind_key" ON "sandbox_ledger_entries"("authorisation_id", "kind");

-- CreateIndex
CREATE INDEX "callbacks_merchant_id_environment_state_created_at_idx" ON "callbacks"("merchant_id", "environment", "state", "created_at" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "callback_attempts_invoice_id_number_key" ON "callback_attempts"("invoice_id", "number");

-- CreateIndex
CREATE INDEX "idempotency_keys_expires_at_idx" ON "idempotency_keys"("expires_at");

-- CreateIndex
CREATE INDEX "audit_log_merchant_id_id_idx" ON "audit_log"("merchant_id", "id" DESC);

-- AddForeignKey
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_tokens" ADD CONSTRAINT "api_tokens_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "signing_secrets" ADD CONSTRAINT "signing_secrets_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "invoices" ADD CONSTRAINT "invoices_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "invoice_events" ADD CONSTRAINT "invoice_events_invoice_id_fkey" FOREIGN KEY ("invoice_id") REFERENCES "invoices"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "payment_attempts" ADD CONSTRAINT "payment_attempts_invoice_id_fkey" FOREIGN KEY ("invoice_id") REFERENCES "invoices"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sandbox_ledger_entries" ADD CONSTRAINT "sandbox_ledger_entries_authorisation_id_fkey" FOREIGN KEY ("authorisation_id") REFERENCES "sandbox_authorisations"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "callbacks" ADD CONSTRAINT "callbacks_invoice_id_fkey" FOREIGN KEY ("invoice_id") REFERENCES "invoices"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "callbacks" ADD CONSTRAINT "callbacks_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "callback_attempts" ADD CONSTRAINT "callback_attempts_invoice_id_fkey" FOREIGN KEY ("invoice_id") REFERENCES "callbacks"("invoice_id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- From here on by hand: what the schema's language cannot say.

-- Money is never zero or negative.
ALTER TABLE "invoices" ADD CONSTRAINT "invoices_amount_positive" CHECK ("amount_minor" > 0);
ALTER TABLE "payment_attempts" ADD CONSTRAINT "payment_attempts_amount_positive" CHECK ("amount_minor" > 0);
ALTER TABLE "sandbox_authorisations" ADD CONSTRAINT "sandbox_authorisations_amount_positive" CHECK ("amount_minor" > 0);
ALTER TABLE "sandbox_ledger_entries" ADD CONSTRAINT "sandbox_ledger_entries_amount_positive" CHECK ("amount_minor" > 0);

-- Closed sets that are text.
ALTER TABLE "callback_attempts" ADD CONSTRAINT "callback_attempts_trigger_known" CHECK ("trigger" IN ('schedule', 'resend'));
ALTER TABLE "callbacks" ADD CONSTRAINT "callbacks_next_trigger_known" CHECK ("next_trigger" IN ('schedule', 'resend'));
ALTER TABLE "sandbox_authorisations" ADD CONSTRAINT "sandbox_authorisations_state_known" CHECK ("state" IN ('pending', 'challenge', 'approved', 'declined'));

-- Lookups by e-mail rely on this.
ALTER TABLE "users" ADD CONSTRAINT "users_email_lower_case" CHECK ("email" = lower("email"));

-- A status other than PENDING is final, and only a final one is notified.
ALTER TABLE "invoices" ADD CONSTRAINT "invoices_paid_by_an_attempt" CHECK ("status" <> 'PAID' OR "capture_attempt_id" IS NOT NULL);
ALTER TABLE "invoice_events" ADD CONSTRAINT "invoice_events_from_pending" CHECK ("from_status" = 'PENDING' AND "to_status" <> 'PENDING');
ALTER TABLE "callbacks" ADD CONSTRAINT "callbacks_status_final" CHECK ("invoice_status" <> 'PENDING');
ALTER TABLE "callbacks" ADD CONSTRAINT "callbacks_attempt_count_not_negative" CHECK ("attempt_count" >= 0);

CREATE FUNCTION refuse_change_of_final_status() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'invoice % is %, which is final', OLD.id, OLD.status USING ERRCODE = 'check_violation';
END
$$;
CREATE TRIGGER "invoices_final_status" BEFORE UPDATE OF "status" ON "invoices"
  FOR EACH ROW WHEN (OLD."status" <> 'PENDING' AND NEW."status" IS DISTINCT FROM OLD."status")
  EXECUTE FUNCTION refuse_change_of_final_status();

-- What is due.
CREATE INDEX "invoices_due" ON "invoices" ("end_date") WHERE "status" = 'PENDING';
CREATE INDEX "callbacks_due" ON "callbacks" ("merchant_id", "next_attempt_at") WHERE "state" = 'pending';
CREATE INDEX "callbacks_claimed" ON "callbacks" ("claimed_until") WHERE "claimed_until" IS NOT NULL;
CREATE INDEX "payment_attempts_due" ON "payment_attempts" ("recover_at") WHERE "recover_at" IS NOT NULL;

-- At most one attempt at work for an invoice, and one end for an authorisation.
CREATE UNIQUE INDEX "payment_attempts_one_at_work" ON "payment_attempts" ("invoice_id")
  WHERE "status" IN ('authorising', 'capturing');
CREATE UNIQUE INDEX "sandbox_ledger_entries_one_end" ON "sandbox_ledger_entries" ("authorisation_id")
  WHERE "kind" IN ('capture', 'void');

-- The audit log is append-only, whoever writes.
CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'audit_log is append-only' USING ERRCODE = 'insufficient_privilege';
END
$$;
CREATE TRIGGER "audit_log_append_only" BEFORE UPDATE OR DELETE ON "audit_log"
  FOR EACH ROW EXECUTE FUNCTION refuse_audit_change();
CREATE TRIGGER "audit_log_no_truncate" BEFORE TRUNCATE ON "audit_log"
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();
