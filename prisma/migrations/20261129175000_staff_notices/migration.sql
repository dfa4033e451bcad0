-- CreateTable
CREATE TABLE "notice_choices" (
    "user_id" TEXT NOT NULL,
    "merchant_id" TEXT NOT NULL,
    "environment" "environment" NOT NULL,
    "kind" TEXT NOT NULL,
    "channels" TEXT[],
    "scope" TEXT,
    "above_minor" BIGINT,
    "currency" "currency",
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "notice_choices_pkey" PRIMARY KEY ("user_id","merchant_id","environment","kind")
);

-- CreateTable
CREATE TABLE "telegram_links" (
    "user_id" TEXT NOT NULL,
    "code_hash" BYTEA,
    "code_expires_at" TIMESTAMPTZ(3),
    "chat_id" TEXT,
    "chat_name" TEXT,
    "linked_at" TIMESTAMPTZ(3),
    "blocked_at" TIMESTAMPTZ(3),

    CONSTRAINT "telegram_links_pkey" PRIMARY KEY ("user_id")
);

-- CreateTable
CREATE TABLE "telegram_readings" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "next_update_id" BIGINT NOT NULL DEFAULT 0,
    "leased_until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "telegram_readings_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "notice_watches" (
    "merchant_id" TEXT NOT NULL,
    "environment" "environment" NOT NULL,
    "position" BIGINT NOT NULL,
    "number" BIGINT NOT NULL,
    "are_callbacks_failing" BOOLEAN NOT NULL DEFAULT false,
    "callbacks_changed_at" TIMESTAMPTZ(3),

    CONSTRAINT "notice_watches_pkey" PRIMARY KEY ("merchant_id","environment")
);

-- CreateTable
CREATE TABLE "notices" (
    "id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "merchant_id" TEXT NOT NULL,
    "environment" "environment" NOT NULL,
    "channel" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "content" JSONB NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'waiting',
    "attempt_count" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),
    "reason" TEXT,

    CONSTRAINT "notices_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "notice_choices_merchant_id_environment_idx" ON "notice_choices"("merchant_id", "environment");

-- CreateIndex
CREATE UNIQUE INDEX "telegram_links_code_hash_key" ON "telegram_links"("code_hash");

-- CreateIndex
CREATE INDEX "notices_created_at_idx" ON "notices"("created_at");

-- CreateIndex
CREATE UNIQUE INDEX "notices_user_id_channel_subject_key" ON "notices"("user_id", "channel", "subject");

-- AddForeignKey
ALTER TABLE "notice_choices" ADD CONSTRAINT "notice_choices_user_id_merchant_id_fkey" FOREIGN KEY ("user_id", "merchant_id") REFERENCES "memberships"("user_id", "merchant_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "telegram_links" ADD CONSTRAINT "telegram_links_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "notice_watches" ADD CONSTRAINT "notice_watches_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "notices" ADD CONSTRAINT "notices_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "notices" ADD CONSTRAINT "notices_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What the worker looks for; Prisma's language has no partial index.
CREATE INDEX "notices_due" ON "notices" ("next_attempt_at") WHERE "state" = 'waiting';

INSERT INTO "telegram_readings" ("leased_until") VALUES ('epoch');
