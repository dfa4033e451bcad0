-- CreateTable
CREATE TABLE "register_emails" (
    "user_id" TEXT NOT NULL,
    "merchant_id" TEXT NOT NULL,
    "environment" "environment" NOT NULL,
    "day" TEXT NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "register_emails_pkey" PRIMARY KEY ("user_id","merchant_id","environment")
);

-- CreateIndex
CREATE INDEX "register_emails_due_at_idx" ON "register_emails"("due_at");

-- AddForeignKey
ALTER TABLE "register_emails" ADD CONSTRAINT "register_emails_user_id_merchant_id_fkey" FOREIGN KEY ("user_id", "merchant_id") REFERENCES "memberships"("user_id", "merchant_id") ON DELETE CASCADE ON UPDATE CASCADE;
