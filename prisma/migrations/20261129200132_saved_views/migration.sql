-- CreateTable
CREATE TABLE "saved_views" (
    "id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "merchant_id" TEXT NOT NULL,
    "environment" "environment" NOT NULL,
    "list" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "query" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "saved_views_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "saved_views_user_id_merchant_id_environment_list_name_key" ON "saved_views"("user_id", "merchant_id", "environment", "list", "name");

-- AddForeignKey
ALTER TABLE "saved_views" ADD CONSTRAINT "saved_views_user_id_merchant_id_fkey" FOREIGN KEY ("user_id", "merchant_id") REFERENCES "memberships"("user_id", "merchant_id") ON DELETE CASCADE ON UPDATE CASCADE;
