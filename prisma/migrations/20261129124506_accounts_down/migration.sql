-- Expands only: the version before neither reads nor writes what is new here.
-- AlterTable
ALTER TABLE "acquirer_accounts" ADD COLUMN     "down_since" TIMESTAMPTZ(3),
ADD COLUMN     "failed_at" TIMESTAMPTZ(3),
ADD COLUMN     "failure" TEXT,
ADD COLUMN     "failure_count" INTEGER NOT NULL DEFAULT 0;
